"""The entry, script and ASGI app in one: `streamlit run app.py` or `uvicorn app:app`.

Streamlit runs this file as ``__main__`` for every visitor; the server imports it once, as ``app``.
"""

from __future__ import annotations

import streamlit as st

from pages.parts import BRAND, TITLE
from pages.parts.shared import local_model, visitor
from pages.parts.shared.frame import add_script


def main() -> None:
    """Draw the frame and the page that was asked for."""
    st.set_page_config(page_title=TITLE, page_icon="🔎", layout="wide")
    add_script("page.js", key="page-script")
    st.sidebar.title(BRAND, anchor=False)  # on the screen while the page behind it is still being loaded
    visitor.require()
    pages = [
        st.Page("pages/work.py", title="작업", icon=":material/forum:", default=True),
        st.Page("pages/records.py", title="기록", icon=":material/history:"),
        st.Page(
            "pages/health.py",
            title="운영",
            icon=":material/monitor_heart:",
            visibility="visible" if visitor.is_operator() else "hidden",
        ),
    ]
    shown = st.navigation(pages)
    local_model.offer()
    shown.run()


if __name__ == "__main__":
    main()
else:
    import logging
    import threading
    from collections.abc import AsyncIterator
    from contextlib import asynccontextmanager

    from starlette.middleware import Middleware

    from pages.parts.shared import frame, server, services
    from pages.parts.shared.static_files import serve_static_files
    from search_core.api import AllowedHosts, limit_shutdown

    try:
        # Otherwise the first visitor of /<file> runs that page without this frame around it.
        from streamlit.runtime.pages_manager import PagesManager

        PagesManager.uses_pages_directory = False
    except ImportError:  # a browser test then fails, too
        logging.getLogger(__name__).warning("Streamlit's pages/ router could not be turned off")

    def get_ready() -> None:
        """Load the core, then look for a language model on this machine."""
        services.get_ready()
        local_model.look()

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        """Load the core in the background, and close it with the server, which then waits for no request for long."""
        threading.Thread(target=get_ready, name="maekrak-start", daemon=True).start()
        limit_shutdown()
        server.keep_log_short()
        yield
        services.close()

    app = st.App(
        __file__,
        routes=server.routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(server.add_security_headers),
            Middleware(AllowedHosts, listed=server.listed_hosts),
            Middleware(server.restrict_routes),
            Middleware(serve_static_files),
            Middleware(server.Visitors),
        ],
        on_script_error=frame.show_unexpected,
    )
