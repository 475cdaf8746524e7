"""How much memory a process may still take, read from files of the system."""

from __future__ import annotations

import pytest

from search_core.embedding.model_embedder import free_bytes

GIB = 1 << 30


@pytest.fixture
def machine(tmp_path):
    """Makes a machine of 8 GiB free, in a container or not."""
    (tmp_path / "meminfo").write_text("MemTotal: 16777216 kB\nMemAvailable: 8388608 kB\n", encoding="ascii")

    def make(**files):
        for name, text in files.items():
            (tmp_path / f"memory.{name}").write_text(text, encoding="ascii")
        return free_bytes(tmp_path / "meminfo", tmp_path)

    return make


def test_free_memory_is_that_of_the_machine_or_its_container(machine, tmp_path):
    """Without a limit the machine's own number counts; of 2 GiB 1.5 are taken, half a GiB by cached files; else it is unknown."""
    assert machine() == 8 * GIB
    assert machine(max="max\n", current=f"{GIB}\n") == 8 * GIB
    stat = f"anon 12\ninactive_file {GIB // 2}\n"
    assert machine(max=f"{2 * GIB}\n", current=f"{3 * GIB // 2}\n", stat=stat) == GIB
    assert free_bytes(tmp_path / "none", tmp_path / "none") is None
