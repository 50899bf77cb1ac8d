"""The fingerprint of a repository: everything in its git metadata that can make git act.

That is: run a program, or read and write elsewhere. Read without trusting anything of it: file
by file with a size limit, configuration by git's own parser from bytes already read, without
includes. Changes of inert settings (`inert_keys`) are no changes.
"""

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.inert_keys import acting_keys

_LIMIT_BYTES = 1 << 20
_INCLUDES_DEPTH = 5
_REMEMBERED = 64
_NOWHERE = GitPlace(Path("/"), {"GIT_DIR": os.devnull})
UNREADABLE = b"(cannot be read)"
"""What stands for the content of something that is no file, or too large a one."""

_POINTER = "gitdir: "


class Fingerprints:
    """Reads fingerprints; a configuration that was parsed once is not parsed again."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._parsed: dict[bytes, list[tuple[str, str]] | None] = {}

    async def of(self, root: Path) -> dict[str, str]:
        """Return what can act in the repository of a checkout, by name; `root` is its top folder."""
        folder, common = git_folders(root)
        found = {".git": str(folder), "common folder": str(common)}
        configs = {common / "config", common / "config.worktree", folder / "config.worktree"}
        for config in sorted(configs):
            found |= await self.of_config(config)
        for name in ("info/attributes", "objects/info/alternates"):
            content = read_limited(common / name)
            if content is not None:
                found[name] = content.decode("utf-8", "surrogateescape")
        found |= _hooks(common / "hooks")
        return {name.removeprefix(f"{root}/"): content for name, content in found.items()}

    async def of_config(self, config: Path, depth: int = 0) -> dict[str, str]:
        """Return what can act in a configuration file and in those that it includes."""
        content = read_limited(config)
        if content is None:
            return {}
        settings = await self._parse(content)
        if settings is None:
            return {f"{config}: {UNREADABLE.decode()}": hashlib.sha256(content).hexdigest()}
        found = {f"{config}: {key}": value for key, value in acting_keys(settings).items()}
        if depth < _INCLUDES_DEPTH:
            for key, value in settings:
                if key == "include.path" or (
                    key.startswith("includeif.") and key.endswith(".path")
                ):
                    found |= await self.of_config(_included(config, value), depth + 1)
        return found

    async def _parse(self, content: bytes) -> list[tuple[str, str]] | None:
        """Return the settings of a configuration in order; None where git cannot read it."""
        key = hashlib.sha256(content).digest()
        if key not in self._parsed:
            if len(self._parsed) >= _REMEMBERED:
                self._parsed.clear()
            listed = await self._git.run(
                _NOWHERE,
                *("config", "--file", "-", "--no-includes", "--null", "--list"),
                stdin=content,
                accepts=(0, 128),
            )
            lines = listed.output.content().split(b"\0")
            pairs = (line.partition(b"\n") for line in lines if line)
            is_read = listed.returncode == 0
            self._parsed[key] = [_decoded(n, v) for n, _, v in pairs] if is_read else None
        return self._parsed[key]


def _decoded(name: bytes, value: bytes) -> tuple[str, str]:
    return name.decode("utf-8", "backslashreplace"), value.decode("utf-8", "surrogateescape")


def git_folders(root: Path) -> tuple[Path, Path]:
    """Return the git folder of a checkout and the one that it shares, as git would find them."""
    folder = root / ".git"
    pointer = None if folder.is_dir() else read_limited(folder)
    if pointer is not None:
        folder = root / os.fsdecode(pointer).removeprefix(_POINTER).rstrip("\r\n")
    shared = read_limited(folder / "commondir")
    common = folder if shared is None else folder / os.fsdecode(shared).rstrip("\r\n")
    return folder.resolve(), common.resolve()


def read_limited(file: Path) -> bytes | None:
    """Return a file's content, None if there is none; anything odd reads as a word that says so."""
    try:
        # a pipe put in a file's place must not block
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return b"%s %s" % (UNREADABLE, (error.strerror or "").encode())
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return UNREADABLE + b" not a file"
        content = opened.read(_LIMIT_BYTES + 1)
    return content if len(content) <= _LIMIT_BYTES else UNREADABLE + b" too large"


def _included(config: Path, value: str) -> Path:
    path = Path(value)
    with suppress(RuntimeError):  # no such user's home: git finds none either
        path = path.expanduser()
    return config.parent / path


def _hooks(folder: Path) -> dict[str, str]:
    """Return the hooks that git would run, were they not turned off: a person's own git does."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    hooks = (folder / name for name in names if not name.endswith(".sample"))
    return {
        f"hooks/{hook.name}": hashlib.sha256(read_limited(hook) or b"").hexdigest()
        for hook in hooks
        if os.access(hook, os.X_OK) and hook.is_file()
    }
