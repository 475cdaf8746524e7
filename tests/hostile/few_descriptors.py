"""Serves the app on the port that is named, with few descriptors: ``python -m tests.hostile.few_descriptors PORT``."""

from __future__ import annotations

import resource
import sys

from streamlit.web.cli import main

from tests.browser.servers import streamlit

DESCRIPTORS = 300

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    sys.argv = streamlit(int(sys.argv[1]))
    main()
