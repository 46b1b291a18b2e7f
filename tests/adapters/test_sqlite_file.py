"""What the SQLite store does with the file: whose it is, keys, upgrades, full disks, forks, busy neighbours."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.conformance.store_cases import MODEL, NOW, entry, ids, new, remember, source, turn, vector
from yinji.adapters.sqlite import SqliteStore, open_store, schema
from yinji.adapters.sqlite.connection import File, Options
from yinji.errors import (
    InvalidInput,
    NewerStore,
    NotAStore,
    NotFound,
    ReadOnlyStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    WrongKey,
)
from yinji.model import Scope

ME = Scope(owner="me")
KEYS = ["correct horse", "密码 '引号'", bytes(range(32))]
NOBODY = 65534


def am_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.yinji"


def fill(path: Path, **options: Any) -> None:
    with open_store(path, **options) as store:
        remember(store, 1, new(entry("a"), "香菜"))


def foreign_database(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('https://example.com')")
    db.close()


# whose file it is


@pytest.mark.req("P3", "K9")
@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.mkdir(), "directory"),
        (lambda path: path.write_text("买牛奶\n" * 40, encoding="utf-8"), "other kind of file"),
        (lambda path: path.write_text("x", encoding="utf-8"), "other kind of file"),
        (lambda path: path.write_bytes(bytes(9000)), "not a database"),
        (foreign_database, "another program"),
    ],
)
@pytest.mark.parametrize("readonly", [False, True])
def test_what_is_not_ours_is_refused_and_not_touched(
    path: Path, make: Callable[[Path], object], problem: str, readonly: bool
) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(NotAStore, match=problem):
        open_store(path, readonly=readonly)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.req("K9", "P3")
def test_a_store_of_a_newer_version_is_refused_and_not_touched(path: Path) -> None:
    fill(path)
    db = apsw.Connection(str(path))
    db.pragma("user_version", 99)
    db.close()
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(NewerStore, match="99"):
            open_store(path, readonly=readonly)
    assert path.read_bytes() == before


@pytest.mark.req("P3")
def test_an_empty_file_becomes_a_store_and_a_missing_one_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(NotFound):
        open_store(path, readonly=True)
    path.touch()
    fill(path)
    with open_store(path, readonly=True) as store:
        assert ids(store.select(ME, limit=None)) == ["a"]


@pytest.mark.req("O12")
def test_the_file_and_its_log_are_for_the_user_alone(path: Path) -> None:
    with open_store(path) as store:
        remember(store, 1, new(entry()))
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            assert stat.S_IMODE(name.stat().st_mode) == 0o600, name


# keys


@pytest.mark.req("O1")
@pytest.mark.parametrize("key", KEYS)
def test_only_the_key_opens_an_encrypted_store_and_no_word_of_it_can_be_read(path: Path, key: str | bytes) -> None:
    with open_store(path, key=key) as store:
        remember(store, 1, new(entry("a"), "香菜"))
        raw = b"".join(each.read_bytes() for each in path.parent.iterdir())
        assert "香菜".encode() not in raw
        assert b"SQLite format" not in raw
    before = path.read_bytes()
    for wrong in (None, "wrong", bytes(32), "错"):
        for readonly in (False, True):
            with pytest.raises(WrongKey):
                open_store(path, key=wrong, readonly=readonly)
    assert path.read_bytes() == before
    with open_store(path, key=key) as store:
        assert ids(store.select(ME, limit=None)) == ["a"]
        assert store.check() == []


@pytest.mark.req("O1", "P3")
def test_a_key_that_cannot_be_one_is_refused(path: Path) -> None:
    for wrong in ("", b"", b"short"):
        with pytest.raises(InvalidInput):
            open_store(path, key=wrong)
    fill(path.with_name("plain"))
    with pytest.raises(StoreError, match="not encrypted"):
        open_store(path.with_name("plain"), key="secret")


@pytest.mark.req("P3")
def test_a_setting_that_means_nothing_is_refused(path: Path) -> None:
    with pytest.raises(InvalidInput, match="off"):
        open_store(path, synchronous="off")


# upgrades


def steps_with(folder: Path, sql: str) -> tuple[schema.Step, ...]:
    """The real migrations and a made-up next one."""
    folder.mkdir()
    for step in schema.steps():
        (folder / step.name).write_text(step.sql, encoding="utf-8")
    number = len(schema.steps()) + 1
    (folder / f"{number:04d}_made_up.sql").write_text(sql, encoding="utf-8")
    return schema.steps(folder)


@pytest.mark.req("K9", "F41")
@pytest.mark.parametrize("key", [None, "密码"])
def test_an_old_store_is_upgraded_with_a_backup_beside_it(path: Path, tmp_path: Path, key: str | None) -> None:
    fill(path, key=key)
    options = Options(key=key)
    migrations = steps_with(tmp_path / "steps", "ALTER TABLE memory ADD COLUMN mood TEXT")
    for _ in range(2):
        schema.prepare(str(path), options, migrations)
    with SqliteStore(File(str(path), options)) as store:
        assert ids(store.select(ME, limit=None)) == ["a"]
        assert store.stats("me").schema == len(migrations)
        assert store.check() == []
    with pytest.raises(NewerStore):
        open_store(path, key=key)
    with open_store(f"{path}.v{len(migrations) - 1}.bak", key=key) as backup:
        assert ids(backup.select(ME, limit=None)) == ["a"]


@pytest.mark.req("K9")
def test_an_upgrade_that_fails_changes_nothing(path: Path, tmp_path: Path) -> None:
    fill(path)
    migrations = steps_with(tmp_path / "steps", "CREATE TABLE mood (a); INSERT INTO nowhere VALUES (1)")
    with pytest.raises(apsw.SQLError, match="nowhere"):
        schema.prepare(str(path), Options(), migrations)
    with open_store(path) as store:
        assert ids(store.select(ME, limit=None)) == ["a"]
        assert store.stats("me").schema == len(migrations) - 1


@pytest.mark.req("K9")
def test_a_gap_in_the_numbers_of_the_migrations_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "0002_second.sql").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="not numbered"):
        schema.steps(tmp_path)


# no room, no right, no peace


@pytest.mark.req("P3", "W13")
def test_a_full_disk_loses_nothing_that_was_accepted(path: Path) -> None:
    with open_store(path) as store:
        remember(store, 1, new(entry("a"), "香菜"))
        with store._file.alone() as db:
            db.pragma("max_page_count", db.pragma("page_count") + 4)
        with pytest.raises(StoreFull, match="space"):
            store.accept([turn(number, "长" * 2000) for number in range(2, 50)])
        assert ids(store.select(ME, limit=None)) == ["a"]
        assert store.pending() == 0
        with store._file.alone() as db:
            db.pragma("max_page_count", 2**30)
        assert store.accept([turn(2)])
        assert store.check() == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB, where this machine lets us make one."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("making a small file system needs root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.req("P3", "W13")
@pytest.mark.skipif(sys.platform != "linux" or not am_root(), reason="mounting needs root on Linux")
def test_a_really_full_disk_loses_nothing_that_was_accepted(small_disk: Path) -> None:
    path = small_disk / "memory.yinji"
    with open_store(path) as store:
        accepted: list[int] = []

        def accept_on_and_on() -> None:
            for number in range(1000):
                store.accept([turn(number, "长" * 1000)])
                accepted.append(number)

        with pytest.raises(StoreFull):
            accept_on_and_on()
        assert len(accepted) > 10
        assert store.pending() == len(accepted)
    fill_rest(small_disk)
    with pytest.raises(StoreFull):
        open_store(small_disk / "new" / "memory.yinji")
    (small_disk / "filler").unlink()
    with open_store(path) as store:
        assert store.pending() == len(accepted)
        assert store.check() == []


def fill_rest(folder: Path) -> None:
    with open(folder / "filler", "wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def as_nobody(act: Callable[[], str]) -> str:
    """What ``act`` says in a child process without root's right to write everywhere."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if am_root():
                os.setuid(NOBODY)
            os.write(writing, act().encode())
        except BaseException as error:  # noqa: BLE001 - the child must end here, whatever happened
            os.write(writing, repr(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def try_to_write(path: Path, *, readonly: bool) -> str:
    found = "-"
    try:
        with open_store(path, readonly=readonly, busy_s=1) as store:
            found = " ".join(ids(store.select(ME, limit=None)))
            store.accept([turn(2)])
    except StoreError as error:
        return f"{found} {error.code}"
    return f"{found} written"


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
FORKS = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@pytest.fixture
def protected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that others may look into; its own mode is set back at the end."""
    folder = tmp_path_factory.mktemp("protected")
    for parent in (folder, *folder.parents):
        if Path(tempfile.gettempdir()) in parent.parents:
            parent.chmod(0o755)
    yield folder
    folder.chmod(0o755)


@POSIX
@FORKS
@pytest.mark.req("P3")
@pytest.mark.parametrize("readonly", [True, False])
@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o444, 0o755), (0o444, 0o555), (0o644, 0o555)])
def test_a_store_that_may_not_be_written_can_be_read(
    protected: Path, readonly: bool, file_mode: int, folder_mode: int
) -> None:
    path = protected / "memory.yinji"
    fill(path)
    path.chmod(file_mode)
    protected.chmod(folder_mode)
    expected = "a read_only_store" if readonly else "- read_only_store"
    assert as_nobody(lambda: try_to_write(path, readonly=readonly)) == expected


@POSIX
@FORKS
@pytest.mark.req("P3")
@pytest.mark.parametrize("name", ["memory.yinji", "deeper/memory.yinji"])
def test_a_folder_that_may_not_be_written_is_named(protected: Path, name: str) -> None:
    protected.chmod(0o555)
    assert as_nobody(lambda: try_to_write(protected / name, readonly=False)) == "- read_only_store"


@pytest.mark.req("P3")
def test_a_store_opened_for_reading_refuses_to_write(path: Path) -> None:
    fill(path)
    with open_store(path, readonly=True) as store:
        assert ids(list(store.words(ME, ["香菜"], limit=9).hits)) == ["a"]
        assert ids(list(store.vectors(ME, vector("x"), model=MODEL, limit=9).hits)) == ["a"]
        assert store.check() == []
        for write in (lambda: store.accept([turn(2)]), lambda: store.hide("me", ["a"], at=NOW, actor="", reason="")):
            with pytest.raises(ReadOnlyStore):
                write()


@pytest.mark.req("P3")
@pytest.mark.parametrize("keep", [0.3, 0.7])
def test_a_damaged_store_says_so(path: Path, keep: float) -> None:
    fill(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)] + os.urandom(len(whole) - int(len(whole) * keep)))

    def use() -> list[str]:
        with open_store(path) as store:
            store.words(ME, ["香菜"], limit=9)
            return store.check()

    try:
        problems = use()
    except StoreDamaged as error:
        problems = [str(error)]
    assert problems


@pytest.mark.req("K10")
@pytest.mark.parametrize("busy_s", [0, 0.1])
def test_a_file_that_another_process_keeps_busy_is_named_after_the_patience_is_over(path: Path, busy_s: float) -> None:
    fill(path)
    with open_store(path, busy_s=busy_s) as store:
        other = apsw.Connection(str(path))
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=f"{busy_s:g} s"):
            store.accept([turn(2)])
        assert ids(store.select(ME, limit=None)) == ["a"], "reading goes on"
        other.execute("ROLLBACK")
        assert store.accept([turn(2)])
        other.close()


@pytest.mark.req("K10")
def test_processes_that_open_a_new_file_at_once_all_get_it(path: Path) -> None:
    program = "import sys; from yinji.adapters.sqlite import open_store; open_store(sys.argv[1], key='密码').close()"
    command = [sys.executable, "-c", program, str(path)]
    starts = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(6)]
    assert [process.communicate()[1] for process in starts] == [b""] * 6
    with open_store(path, key="密码") as store:
        assert store.check() == []


@pytest.mark.req("K10")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@FORKS
def test_a_forked_child_and_its_parent_go_on_with_the_same_store(path: Path) -> None:
    with open_store(path) as store:
        remember(store, 1, new(entry("a"), "香菜"))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                remember(store, 2, new(entry("b"), "香菜"))
                code = 0 if {"a", "b"} <= set(ids(store.words(ME, ["香菜"], limit=99).hits)) else 2
            finally:
                os._exit(code)
        for number in range(3, 20):
            remember(store, number, new(entry(f"m{number}"), "香菜"))
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert len(store.words(ME, ["香菜"], limit=99).hits) == 19
        assert store.check() == []


@pytest.mark.req("K10")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@FORKS
def test_a_fork_in_the_middle_of_another_threads_read_leaves_both_sides_usable(path: Path) -> None:
    fill(path)
    reading, go_on = threading.Event(), threading.Event()
    with open_store(path) as store:

        def read() -> None:
            with store._file.read():
                reading.set()
                go_on.wait(10)

        thread = threading.Thread(target=read)
        thread.start()
        reading.wait(10)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                store.accept([turn(2)])
                code = 0
            finally:
                os._exit(code)
        go_on.set()
        thread.join()
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert store.pending() == 1
        assert store.check() == []


@pytest.mark.req("K1", "K5")
def test_the_check_notices_parts_that_do_not_agree(path: Path) -> None:
    fill(path)
    for damage, word in (
        ("DELETE FROM term_index_data WHERE id > 10", "index"),
        ("DELETE FROM term", "terms"),
        ("UPDATE vector SET data = x'00'", "vectors"),
        ("UPDATE source SET memory = 99", "source"),
    ):
        copy = path.with_name(f"{word}.yinji")
        copy.write_bytes(path.read_bytes())
        with open_store(copy) as store:
            store.import_memories([new(entry("b", sources=(source(1),)), "词")], at=NOW)
            with store._file.alone() as db:
                db.execute(f"PRAGMA foreign_keys = OFF; {damage}")
            assert any(word in problem for problem in store.check()), word
