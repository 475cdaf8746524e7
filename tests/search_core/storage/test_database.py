"""The database opens when it is needed, on a file or a server, and says in words what is wrong with it."""

from __future__ import annotations

import logging
import socket
import stat
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from search_core.errors import SettingsError, StorageError
from search_core.language import redaction
from search_core.settings import Settings
from search_core.storage.database import PAUSE_S, Database
from search_core.storage.tables import CONVERSATIONS, SCHEMA, VERSION
from tests.loopback.postgresql import PostgreSQLServer

PATIENT_S = 60
PASSWORD = "p@ss w/rd+%1"
WRITTEN = "p%40ss%20w%2Frd%2B%251"


def version(database: Database) -> object:
    with database.reading() as connection:
        return connection.execute(select(SCHEMA.c.version)).scalar()


def failure(database: Database) -> StorageError:
    """Return how the database cannot be used, and see that it says so within a minute, without its password."""
    begun = time.monotonic()
    with pytest.raises(StorageError) as caught:
        version(database)
    assert time.monotonic() - begun < PATIENT_S
    told = "".join(traceback.format_exception(caught.value)) + caught.value.korean
    assert "canary" not in told
    return caught.value


def test_the_settings_name_the_database(tmp_path: Path):
    """Without DATABASE_URL it is maekrak.sqlite in the data folder, with it PostgreSQL through psycopg."""
    file = Database.of(Settings(maekrak_data_dir=tmp_path))
    assert (file.url.get_secret_value(), file.shared) == (f"sqlite:///{tmp_path}/maekrak.sqlite", False)
    server = Database.of(Settings(database_url="postgres://me:canary@db.example:6432/maekrak"))
    assert server.url.get_secret_value() == "postgresql+psycopg://me:canary@db.example:6432/maekrak"
    assert (server.place, server.shared) == ("db.example:6432/maekrak", True)
    assert "canary" not in repr(vars(server))


@pytest.mark.parametrize(
    "address",
    ["postgresql://canary@h:port/x", "postgresql://me:canary@host", "mysql://me:canary@host/x", "canary"],
)
def test_an_address_that_cannot_be_read_is_named_and_not_repeated(address: str):
    """An address that is none of PostgreSQL ends in a SettingsError about DATABASE_URL that does not hold it."""
    with pytest.raises(SettingsError, match="DATABASE_URL") as caught:
        Database(address)
    told = "".join(traceback.format_exception(caught.value))
    assert "canary" not in told.split("SettingsError")[-1]
    assert caught.value.__cause__ is None
    assert "DATABASE_URL" in caught.value.korean


def test_the_tables_are_made_once(address: Path | str):
    """Eight threads over four openings of an empty database find one schema of this version; a closed database opens again."""
    opened = [Database(address) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        versions = list(pool.map(version, opened * 2))
    with opened[0].reading() as connection:
        assert connection.execute(select(SCHEMA.c.version)).scalars().all() == [VERSION]
    assert versions == [VERSION] * 8
    for database in opened * 2:
        database.close()
    assert version(opened[0]) == VERSION
    opened[0].close()


def test_a_database_of_a_later_version_is_left_alone(database: Database, address: Path | str):
    """Tables a later version made are not touched, and both languages say why."""
    with database.writing() as connection:
        connection.execute(update(SCHEMA).values(version=VERSION + 1))
    later = Database(address)
    error = failure(later)
    assert f"version {VERSION + 1}" in str(error)
    assert "새 버전" in error.korean
    later.close()


def test_what_fails_half_way_is_not_kept(database: Database):
    """A transaction that raises leaves nothing of what it wrote."""
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        assert connection.execute(update(SCHEMA).values(version=0)).rowcount // 0
    assert version(database) == VERSION


def test_what_was_written_is_not_told(database: Database):
    """An error about a row holds nothing of the row, neither in its text nor in its traceback."""
    with pytest.raises(StorageError) as caught, database.writing() as connection:
        connection.execute(insert(CONVERSATIONS).values(id="canary", owner="canary"))
    lines = traceback.format_exception(caught.value, limit=0)  # the frames of this test show its source
    assert "canary" not in "".join(lines) + caught.value.korean


def test_the_file_belongs_to_this_user(tmp_path: Path):
    """File and folder are closed to other users, and the file keeps a write-ahead log and refuses strangers to its rows."""
    database = Database(tmp_path / "data" / "maekrak.sqlite")
    with database.reading() as connection:
        for pragma, expected in (("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 10_000)):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == expected
    files = list((tmp_path / "data").iterdir())
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    database.close()


def test_a_file_that_cannot_be_used_is_named_and_left_as_it_is(tmp_path: Path):
    """What is no database is told as damage, and neither moved nor written over; a folder that cannot be made asks for rights."""
    path, letter = tmp_path / "maekrak.sqlite", b"a letter to my mother " * 100
    path.write_bytes(letter)
    error = failure(Database(path))
    assert "maekrak.sqlite" in str(error)
    assert "손상" in error.korean
    assert path.read_bytes() == letter
    assert [each.name for each in tmp_path.iterdir()] == ["maekrak.sqlite"]
    for folder in (path, Path("/proc/maekrak")):
        assert "권한" in failure(Database(folder / "maekrak.sqlite")).korean


def test_a_missing_column_is_no_damage(tmp_path: Path):
    """A file of another version is told as one, and goes on to be used for what it has."""
    with closing(Database(tmp_path / "maekrak.sqlite")) as database:
        with database.writing() as connection:
            connection.exec_driver_sql("ALTER TABLE conversations RENAME COLUMN title TO name")
        with pytest.raises(StorageError) as caught, database.reading() as connection:
            connection.exec_driver_sql("SELECT title FROM conversations")
        assert "다른 버전" in caught.value.korean
        with database.writing():
            pass
        assert database.fault is None


def test_a_folder_that_cannot_be_written_is_told_before_there_is_a_file(tmp_path: Path):
    """Rights are looked at where the file, or its folder, would be made; that there is none yet is no problem."""
    assert Database(tmp_path / "new" / "maekrak.sqlite").problem() == ""
    (tmp_path / "file").touch(mode=0o400)
    assert "권한" in Database(tmp_path / "file" / "maekrak.sqlite").problem()


def test_what_a_server_refuses_has_sentences_of_its_own(postgresql: PostgreSQLServer):
    """No server, a refused password and no such database are told apart, with host, port and database but not the login."""
    away = failure(Database("postgresql://me:canary@127.0.0.1:1/name"))
    assert "127.0.0.1:1/name" in str(away)
    assert "연결하지 못했어요" in away.korean
    assert "로그인" in failure(Database(postgresql.url(password="canary"))).korean
    missing = failure(Database(postgresql.url("nosuch")))
    assert "그 이름의 데이터베이스" in missing.korean
    assert postgresql.password not in f"{missing} {missing.korean}"


def test_a_silent_server_holds_nobody_up_twice():
    """A server that takes connections and never answers is given up in time; until the pause is over nobody asks it again."""
    now = 100.0
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        address = f"postgresql://me:canary@127.0.0.1:{silent.getsockname()[1]}/name?connect_timeout=2"
        database = Database(address, monotonic=lambda: now)
        first = failure(database)
        silent.accept()[0].close()
        now += PAUSE_S - 0.1
        again = failure(database)
        assert (str(again), again.korean) == (str(first), first.korean)
        with pytest.raises(BlockingIOError):
            silent.accept()
        now += 0.2
        failure(database)
        silent.accept()[0].close()


def test_a_password_with_signs_in_it_works(postgresql: PostgreSQLServer, caplog: pytest.LogCaptureFixture):
    """Signs written as %XX reach the server as they are meant, and neither they nor statements and values are logged."""
    postgresql.say("DROP ROLE IF EXISTS signs")
    postgresql.say(f"CREATE ROLE signs LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
    address = postgresql.new_database().replace(f"{postgresql.user}:{postgresql.password}@", f"signs:{WRITTEN}@")
    settings = Settings(database_url=address)
    database = Database.of(settings)
    with caplog.at_level(logging.INFO):
        assert version(database) == VERSION
    assert caplog.records == []
    redaction.install(settings)
    for text in (address, database.url.get_secret_value(), PASSWORD):
        clean = redaction.redact(text)
        assert not any(part in clean for part in ("p@ss", "p%40ss", "w/rd", "w%2Frd"))
    database.close()


def test_a_server_that_comes_back_is_used_again():
    """When the server is killed the next use fails in words; started again, it answers with all that was committed."""
    now = 100.0
    with PostgreSQLServer() as server:
        database = Database(server.new_database(), monotonic=lambda: now)
        with database.writing() as connection:
            connection.execute(update(SCHEMA).values(version=0))
        server.kill()
        assert "연결하지 못했어요" in failure(database).korean
        server.start()
        now += PAUSE_S + 1
        assert version(database) == 0
        database.close()
