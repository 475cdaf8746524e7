"""기록: conversations, reports and checks in one list, searched by their titles, opened, exported and deleted."""

from __future__ import annotations

import streamlit as st

from pages.parts.records import records
from pages.parts.shared import frame, own_documents

st.header("기록", anchor=False)
with frame.whole():
    records()
    own_documents.files()
