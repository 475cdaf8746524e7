"""검색 상태: the health of search services, by service and by request."""

from __future__ import annotations

import streamlit as st

from pages.parts.health import board
from pages.parts.shared import frame

st.header("검색 상태", anchor=False)
with frame.whole():
    board()
