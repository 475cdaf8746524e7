"""What the parts of a running Maekrak are set up with."""

from contextlib import closing

from search_core.core import SearchCore
from search_core.errors import TranscriptionError
from search_core.errors import TranscriptionFailure as Kind
from search_core.settings import Settings
from search_core.speech.sound import SoundFile
from search_core.wiring.components import build_components
from tests.loopback.language_model import KEY, LanguageModelServer
from tests.loopback.speech_endpoint import listening
from tests.loopback.tone_speech import sentences, speak
from tests.search_core.speech.media import write


def test_what_is_set_decides_whether_a_language_model_is_asked(tmp_path):
    """Writing wants a model and an address, or a key for the one everybody knows."""
    model, local = {"openai_model": "m"}, {"openai_base_url": "http://127.0.0.1:1/v1"}
    for settings, asked in (
        ({}, False),
        (model, False),
        (local, False),
        (model | local, True),
        (model | {"openai_api_key": "k"}, True),
    ):
        with closing(build_components(Settings(maekrak_data_dir=tmp_path, **settings), once=True)) as components:
            assert (components.model is not None) is asked


def test_closing_the_core_ends_what_is_under_way(tmp_path):
    """A transcription amid its request is cancelled when the core is closed."""
    sound = SoundFile(path=write(tmp_path / "a.wav", speak(20.0, sentences(20.0))), name="a.wav")
    with LanguageModelServer(hear=listening) as endpoint:
        asked = {"openai_base_url": endpoint.url, "openai_api_key": KEY, "openai_transcription_model": "hears"}
        settings = Settings(_env_file=None, maekrak_data_dir=tmp_path / "data", embedding_model="kiwi", **asked)
        with closing(SearchCore.from_settings(settings)) as core:
            endpoint.released.clear()
            job = core.transcription.start(sound)
            assert endpoint.arrived.wait(20)
        assert job.done
        assert isinstance(job.error, TranscriptionError)
        assert job.error.kind is Kind.CANCELLED
