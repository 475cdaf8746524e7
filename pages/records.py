"""기록: conversations, reports and checks in one list, which can be searched, opened, exported and deleted."""

from __future__ import annotations

import streamlit as st

from pages.parts.records import records_list
from pages.parts.shared import frame, own_documents

st.header("기록", anchor=False)
with frame.whole():
    records_list.records()
    own_documents.files()
