"""What Treadle asks of git-lfs, on files and a folder: for hosts that have no git-lfs."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

_HEAD = "version https://git-lfs.github.com/spec/v1\n"


def _object(oid: str) -> Path:
    asked = ["git", "rev-parse", "--path-format=absolute", "--git-common-dir"]
    common = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.strip()
    return Path(common, "lfs", "objects", oid[:2], oid[2:4], oid)


def _clean(content: bytes) -> bytes:
    if content.startswith(_HEAD.encode()):
        return content
    oid = hashlib.sha256(content).hexdigest()
    _object(oid).parent.mkdir(parents=True, exist_ok=True)
    _object(oid).write_bytes(content)
    return f"{_HEAD}oid sha256:{oid}\nsize {len(content)}\n".encode()


def _oid(pointer: bytes) -> str:
    return pointer.decode().split("sha256:")[1][:64]


def _packets() -> list[bytes]:
    found: list[bytes] = []
    while size := int(sys.stdin.buffer.read(4) or b"0", 16):
        found.append(sys.stdin.buffer.read(size - 4))
    return found


def _send(*packets: bytes) -> None:
    for packet in packets:
        sys.stdout.buffer.write(b"%04x" % (len(packet) + 4) + packet)
    sys.stdout.buffer.write(b"0000")
    sys.stdout.buffer.flush()


def _process() -> None:
    """Speak git's protocol for filters that stay."""
    _packets()
    _send(b"git-filter-server\n", b"version=2\n")
    _packets()
    _send(b"capability=clean\n", b"capability=smudge\n")
    while about := _packets():
        content = b"".join(_packets())
        is_clean = about[0] == b"command=clean\n"
        given = _clean(content) if is_clean else _object(_oid(content)).read_bytes()
        _send(b"status=success\n")
        _send(*([given] if given else []))
        _send()


def _list(commit: str) -> None:
    names = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", commit], capture_output=True, check=True, text=True
    ).stdout.split()
    for name in names:
        shown = subprocess.run(
            ["git", "cat-file", "blob", f"{commit}:{name}"], capture_output=True, check=True
        ).stdout
        if shown.startswith(_HEAD.encode()):
            sys.stdout.write(f"{_oid(shown)} - {name}\n")


match sys.argv[1:]:
    case ["version"]:
        sys.stdout.write("git-lfs/driver\n")
    case ["filter-process"]:
        _process()
    case ["ls-files", "--long", commit]:
        _list(commit)
    case _:
        os._exit(2)
