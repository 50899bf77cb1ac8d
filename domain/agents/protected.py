"""Protected names: files that make editors, shells, git or agents run something, wherever they lie.

In a sandbox those at the root of a workspace cannot be changed or made. Deeper ones, and those of a
workspace without a sandbox, are told at the gate.
"""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from domain.core.text import on_one_line

PROTECTED_FOLDERS = (
    *(".treadle", ".flowgentic", ".claude", ".codex", ".gemini", ".cursor", ".vscode", ".idea"),
)
PROTECTED_FILES = (".mcp.json", ".envrc", ".gitmodules")
_TOLD_FOLDERS = frozenset({*PROTECTED_FOLDERS, ".qwen", ".opencode", ".vibe", ".devcontainer"})
_TOLD_FILES = frozenset(
    {
        *PROTECTED_FILES,
        *(".gitattributes", ".gitconfig", ".npmrc", ".pypirc", "opencode.json"),
        *(".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile"),
    }
)
MAX_PLANTED = 50
_NAMED = 10


def planted_among(names: Iterable[str]) -> tuple[str, ...]:
    """Return which changed files have protected names, at any depth; the first 50."""
    found = (name for name in names if _is_protected(name))
    return tuple(name for name, _ in zip(found, range(MAX_PLANTED), strict=False))


def planted_words(planted: Sequence[str]) -> str:
    """Say which such files were changed; nothing where none was."""
    if not planted:
        return ""
    more = f" and {len(planted) - _NAMED} more" if len(planted) > _NAMED else ""
    return (
        "changes files that make tools run something, look at them: "
        f"{', '.join(map(on_one_line, planted[:_NAMED]))}{more}"
    )


def _is_protected(name: str) -> bool:
    *folders, file = PurePosixPath(name).parts or ("",)
    is_flow = folders[-1:] == ["flows"] and file.endswith(".json")
    return is_flow or file in _TOLD_FILES or not _TOLD_FOLDERS.isdisjoint((*folders, file))
