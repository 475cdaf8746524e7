"""Documents put into the library from the page, and taken out of it."""

from __future__ import annotations

from tests.app.conftest import Visit

REPORT = ("보고서.pdf", b"%PDF-1.7 text")


def kept(here: Visit) -> tuple[str, ...]:
    return here.core.own_documents.added("")


def test_a_document_goes_into_the_library_and_is_said_to(visit):
    """The page says where it can be taken out; a question that came with it is asked, beside the video that is open."""
    here = visit(video=True)
    here.upload(REPORT, ("메모.md", b"# memo"))
    assert "“보고서.pdf” 외 1개를 내 자료에 넣었어요. 질문하면 함께 찾아요. ‘기록’에서 뺄 수 있어요." in here.texts()
    assert kept(here) == ("보고서.pdf", "메모.md")
    here.upload(REPORT, text="파고는 얼마였나요?")
    [(question, _)] = here.core.searches
    assert (question.text, question.video is not None, kept(here)) == ("파고는 얼마였나요?", True, ("보고서.pdf", "메모.md"))


def test_a_document_that_cannot_be_read_says_why(visit):
    """The reason stands by its name, the others are in, and a question that came with nothing but it goes back into the box."""
    here = visit()
    here.upload(("빈.pdf", b" "), REPORT)
    assert here.errors() == "빈.pdf: 빈 파일이에요."
    assert kept(here) == ("보고서.pdf",)
    here.upload(("빈.pdf", b" "), text="뭐라고 쓰여 있나요?")
    assert (here.draft, here.core.searches) == ("뭐라고 쓰여 있나요?", [])


def test_documents_are_added_by_whom_they_belong_to_alone(visit):
    """A server for many without a login takes none, and does not offer to."""
    here = visit()
    assert "내 자료에 넣어 두고 질문할 때 함께 찾아요." in here.texts()
    here.core.settings.allowed_hosts = "maekrak.example"
    here.upload(REPORT)
    assert "로그인해야 문서를 넣을 수 있어요." in here.errors()
    assert kept(here) == ()
    assert "내 자료에 넣어 두고" not in here.texts()


def test_files_of_the_library_are_listed_and_deleted(visit):
    """The records name what was put in; a deletion takes a file out of it."""
    here = visit()
    here.upload(REPORT)
    here.open("records")
    assert "내 자료에 넣은 파일 1개" in here.texts()
    here.click("remove-document-보고서.pdf")
    assert "내 자료에 넣은 파일" not in here.texts()
    assert kept(here) == ()
