"""What a chat refuses to do, and why."""

from __future__ import annotations

from search_core.errors import InputError, MaekrakError


class ConversationBusyError(InputError):
    """Says that an answer of the conversation is still being given."""

    def __init__(self) -> None:
        super().__init__(
            "An answer of this conversation is still being given.",
            korean="앞선 답변이 아직 나오고 있어요. 끝나기를 기다리거나 멈춘 뒤에 다시 해 주세요.",
        )


class TooManyAnswersError(MaekrakError):
    """Says that as many answers are being given at once as the process takes on."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"{most} answers are being given already.",
            korean="지금 답하고 있는 질문이 많아 더 받을 수 없어요. 잠시 뒤에 다시 물어봐 주세요.",
        )


class MessageNotFoundError(InputError):
    """Says that the conversation holds no answer of that id."""

    def __init__(self) -> None:
        super().__init__(
            "There is no such answer in this conversation.",
            korean="확인할 답변을 찾지 못했어요. 대화를 새로 고친 뒤에 다시 해 주세요.",
        )


class AlreadyCheckedError(InputError):
    """Says that an answer was checked online before, or is being checked."""

    def __init__(self) -> None:
        super().__init__(
            "This answer was checked online before, or is being checked.",
            korean="이 답변은 이미 온라인에서 확인했거나 확인하고 있어요.",
        )


class NoSpeechError(InputError):
    """Says that nothing is said in a recording."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing is said in the recording.", korean="녹음에서 말소리를 찾지 못했어요. 다시 말하거나 글로 적어 주세요."
        )
