"""The texts that flow files name by a file: codeInfo2's Markdown files and its agents' commands."""

from collections.abc import Iterable
from pathlib import Path

from adapters.files.safe_open import PathProblem, PathRefusedError, safe_read
from domain.flows.placed_json import BadJsonError, read_json
from domain.flows.problems import FlowTextError

MARKDOWN = "codeinfo_markdown"
AGENTS = ("codeinfo_agents", "codex_agents")
MAX_BYTES = 256 * 1024


class FolderTexts:
    """Implements `FlowTexts` by the files below some folders: of a name, the first one counts."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._roots = tuple(dict.fromkeys(roots))

    def markdown(self, path: str) -> str:
        """Return the text of a file under `codeinfo_markdown/`; fails with `FlowTextError`."""
        slashed = path.replace("\\", "/")
        raw = self._first((f"{MARKDOWN}/{slashed}",))
        try:
            text = raw.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise FlowTextError(f"{MARKDOWN}/{path} is no UTF-8") from error
        if not text or "\0" in text:
            raise FlowTextError(f"{MARKDOWN}/{path} {'holds NULs' if text else 'is empty'}")
        return text

    def command(self, agent_type: str, name: str) -> object:
        """Return the JSON of an agent's command; fails with `FlowTextError`."""
        if any(part.startswith(".") or "/" in part for part in (agent_type, name)):
            raise FlowTextError("an agent type and a command's name are names, and no paths")
        paths = tuple(f"{folder}/{agent_type}/commands/{name}.json" for folder in AGENTS)
        try:
            return read_json(self._first(paths)).value
        except BadJsonError as error:
            place = f"line {error.line}, column {error.column}: " if error.line else ""
            raise FlowTextError(f"{name}.json of {agent_type}: {place}{error}") from error

    def _first(self, paths: tuple[str, ...]) -> bytes:
        for root in self._roots:
            for path in paths:
                try:
                    return safe_read(root, path, MAX_BYTES)
                except PathRefusedError as error:
                    if error.problem is not PathProblem.MISSING:
                        raise FlowTextError(f"{error} below {root}") from error
        where = " or ".join(str(root) for root in self._roots)
        raise FlowTextError(f"there is no {' or '.join(paths)} below {where}")
