"""A folder of flow files, and one of its files as a flow or with what is wrong with it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from adapters.files.flow_texts import FolderTexts
from adapters.files.safe_open import PathProblem, PathRefusedError, list_files, safe_read
from domain.agents.profiles import Scope
from domain.flows.files import MAX_BYTES, read_flow_file
from domain.flows.problems import FlowProblem
from domain.flows.views import FoundFlow

MAX_FILES = 200
_SUFFIX = ".json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}", re.ASCII)
_SHOWN = 100


@dataclass(frozen=True)
class FlowFolder:
    """A folder below `root`, whose files may name texts below `roots`; read once, when it is asked."""

    scope: Scope
    root: Path
    folder: str
    roots: tuple[Path, ...]

    @property
    def path(self) -> Path:
        """The whole path of the folder."""
        return self.root / self.folder

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its files without their ending, sound or not; none where it is missing.

        Raises:
            PathRefusedError: It can't be looked at.
        """
        files = list_files(self.root, self.folder, _SUFFIX)
        return tuple(file.removesuffix(_SUFFIX) for file in files)

    def flows(self) -> list[FoundFlow]:
        """Return what its first 200 files say, and what is wrong with the others, or with it."""
        try:
            names = self.names
        except PathRefusedError as error:
            return [self._whole("unreadable", f"the folder can't be read: {error}")]
        found = [self.read(name)[0] for name in names[:MAX_FILES]]
        if len(names) > MAX_FILES:
            words = f"only the first {MAX_FILES} of {len(names)} files are looked at"
            found.append(self._whole("too_many", words))
        return found

    def has(self, name: str) -> bool:
        """Tell whether there is a file of a name; a folder that can't be looked at has none."""
        try:
            return name in self.names
        except PathRefusedError:
            return False

    def read(self, name: str) -> tuple[FoundFlow, bytes]:
        """Return what a file says, and its bytes, which are read once."""
        shown = printed(name)
        found = FoundFlow(name=shown, scope=self.scope, path=str(self.path / f"{shown}{_SUFFIX}"))
        wrong = self._wrong_name(name)
        if wrong is not None:
            return found.model_copy(update={"problems": (wrong,)}), b""
        try:
            raw = safe_read(self.root, f"{self.folder}/{name}{_SUFFIX}", MAX_BYTES)
        except PathRefusedError as error:
            kind = "too_large" if error.problem is PathProblem.TOO_BIG else "unreadable"
            problem = FlowProblem(type=kind, message=str(error))
            return found.model_copy(update={"problems": (problem,)}), b""
        return read_flow_file(raw, found, FolderTexts(self.roots)), raw

    def _wrong_name(self, name: str) -> FlowProblem | None:
        if not _NAME.fullmatch(name):
            words = "it is ignored: a flow's name is up to 63 letters, digits, dashes, underscores"
            return FlowProblem(type="bad_name", message=words)
        alike = [each for each in self.names if each.lower() == name.lower()]
        if len(alike) > 1:
            words = f"it is ignored: {' and '.join(alike)} differ in upper and lower case only"
            return FlowProblem(type="ambiguous_name", message=words)
        return None

    def _whole(self, kind: str, words: str) -> FoundFlow:
        problem = FlowProblem(type=kind, message=words)
        path = str(self.path)
        return FoundFlow(name=self.folder, scope=self.scope, path=path, problems=(problem,))


class NamedFlows:
    """The flows that others name: of a name the first in some folders, each file read once."""

    def __init__(self, folders: Iterable[FlowFolder], known: dict[str, FoundFlow]) -> None:
        self._folders = tuple(folders)
        self._known: dict[str, FoundFlow | None] = {**known}

    def __call__(self, name: str) -> FoundFlow | None:
        """Return a flow by itself, None where there is none."""
        if name not in self._known:
            folder = next((each for each in self._folders if each.has(name)), None)
            self._known[name] = folder.read(name)[0] if folder else None
        return self._known[name]


def printed(name: str) -> str:
    """Return a file's name as it may be shown: it may be no Unicode, hold a newline, be long."""
    shown = name.encode("utf-8", "backslashreplace").decode()
    shown = shown if shown.isprintable() else repr(shown)[1:-1]
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
