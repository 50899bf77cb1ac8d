"""Files that verify or instruct: a change to one shows at the gate and stops it for a person (B2).

By name: what test runners, build tools, hooks and CI read, and what agents are told. By use: files
that were there before and that a step's command names. What cannot be seen: a script that such a
file calls in turn (ADR 0032).
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from domain.verification import StepType, VerificationStep
from domain.wording import on_one_line
from domain.workspaces import Snapshot

MAX_JUDGES = 50
_NAMED = 10
_VERIFIES = frozenset(
    {
        *("makefile", "gnumakefile", "justfile", "taskfile.yml", "rakefile", "noxfile.py"),
        *("conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini", "tox.ini"),
        *("setup.cfg", "pyproject.toml", ".coveragerc", "mypy.ini", "ruff.toml", ".ruff.toml"),
        *("package.json", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "lefthook.yml"),
        *(".gitlab-ci.yml", ".travis.yml", "jenkinsfile", "azure-pipelines.yml", "build.rs"),
    }
)
_INSTRUCTS = frozenset(
    {"agents.md", "claude.md", "claude.local.md", "gemini.md", "treadle.md", ".cursorrules"}
)
_FOLDERS = frozenset({".claude", ".cursor", ".github", ".circleci", ".husky", ".githooks"})
_PREFIXES = ("jest.config.", "vitest.config.", "karma.conf.", "eslint.config.", ".eslintrc")
_RUN_SUFFIXES = frozenset(
    {
        *(
            ".sh",
            ".bash",
            ".py",
            ".js",
            ".mjs",
            ".cjs",
            ".ts",
            ".rb",
            ".pl",
            ".php",
            ".lua",
            ".ps1",
        ),
        *(".mk", ".toml", ".ini", ".cfg", ".yml", ".yaml", ".json"),
    }
)
"""Of a file that a command names: what it runs or is set up by, and not the text that it looks at."""

_WORD = re.compile(r"[^\s\"'`;|&()<>=]+")


def judges_among(names: Iterable[str]) -> tuple[str, ...]:
    """Return which changed files verify or instruct by their names, at any depth; the first 50."""
    found = (name for name in names if _is_judge(name))
    return tuple(name for name, _ in zip(found, range(MAX_JUDGES), strict=False))


def with_judges(snapshot: Snapshot | None, steps: Sequence[VerificationStep]) -> Snapshot | None:
    """Return a snapshot whose judges are also the files, there before, that steps run by name."""
    if snapshot is None or not snapshot.altered:
        return snapshot
    run = {word for step in steps for word in _words(step)}
    named = (name for name in snapshot.altered if name in run and _is_run(name))
    judges = tuple(dict.fromkeys((*snapshot.judges, *named)))[:MAX_JUDGES]
    return snapshot.model_copy(update={"judges": judges})


def judges_words(judges: Sequence[str]) -> str:
    """Say which such files were changed; nothing where none was."""
    if not judges:
        return ""
    more = f" and {len(judges) - _NAMED} more" if len(judges) > _NAMED else ""
    names = ", ".join(on_one_line(name) for name in judges[:_NAMED])
    return f"changes what verifies or instructs, look at them: {names}{more}"


def _words(step: VerificationStep) -> list[str]:
    if step.type not in {StepType.COMMAND, StepType.SCRIPT}:
        return []
    return [str(PurePosixPath(word)) for word in _WORD.findall(step.subject)]


def _is_run(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in _RUN_SUFFIXES or (not path.suffix and len(path.parts) > 1)


def _is_judge(name: str) -> bool:
    *folders, file = PurePosixPath(name.lower()).parts or ("",)
    return (
        file in _VERIFIES
        or file in _INSTRUCTS
        or file.endswith(".pth")
        or file.startswith(_PREFIXES)
        or not _FOLDERS.isdisjoint((*folders, file))
    )
