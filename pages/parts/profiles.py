"""Settings of the order under a name: stored, deleted, exported and imported in the lab."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts import controls, lab_choice, lab_labels, services
from pages.parts.escaping import md
from pages.parts.visitor import owner
from search_core.errors import MaekrakError
from search_core.evaluation.profile import MAX_PROFILE_BYTES, Profile, profile_json, read_profile

NAME_KEY = "profile-name"


def board() -> None:
    """Draw what the lab offers for profiles: store the present settings, export one, delete one."""
    searches, whose = services.core().stored_searches, owner()
    with st.container(horizontal=True, vertical_alignment="bottom", key="profile-new"):
        name = st.text_input(lab_labels.PROFILE_NAME, key=NAME_KEY, max_chars=60, width=260)
        st.button(lab_labels.PROFILE_SAVE, key="profile-save", disabled=not name.strip(), on_click=_save, args=(name,))
    for place, (each, ranking) in enumerate(searches.profiles(whose).items()):
        with st.container(horizontal=True, vertical_alignment="center", key=f"profile-{place}"):
            st.markdown(f"**{md(each, 60)}**", width=260)
            file = profile_json(Profile(name=each, ranking=ranking))
            st.download_button(
                lab_labels.PROFILE_FILE, file, f"maekrak-profile-{place + 1}.json", key=f"profile-file-{place}", on_click="ignore"
            )
            st.button(lab_labels.PROFILE_DELETE, key=f"profile-delete-{place}", on_click=_delete, args=(each,))


def imports() -> None:
    """Draw the box for a profile in a file."""
    searches, whose = services.core().stored_searches, owner()
    given = st.file_uploader(lab_labels.PROFILE_IMPORT, type=["json"], key="profile-import", max_upload_size=1)
    if given is None or st.session_state.get("profile-imported") == given.file_id:
        return
    st.session_state["profile-imported"] = given.file_id
    try:
        profile = read_profile(given.getvalue()[: MAX_PROFILE_BYTES + 1])
        searches.put_profile(profile.name, whose, profile.ranking)
        st.session_state[lab_choice.NOTE_KEY] = lab_labels.PROFILE_SAVED.format(name=md(profile.name, 60))
        st.rerun()
    except MaekrakError as error:
        st.warning(md(error.korean))


def _save(name: str) -> None:
    services.core().stored_searches.put_profile(name.strip(), owner(), replace(controls.ranking()))
    st.session_state[NAME_KEY] = ""
    st.session_state[lab_choice.NOTE_KEY] = lab_labels.PROFILE_SAVED.format(name=md(name.strip(), 60))


def _delete(name: str) -> None:
    services.core().stored_searches.delete_profile(name, owner())
    st.session_state[lab_choice.NOTE_KEY] = lab_labels.PROFILE_DELETED.format(name=md(name, 60))
