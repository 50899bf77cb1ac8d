"""Devcontainers: what of a repository's own description of its environment is taken, and what is refused."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, cast

from domain.recipes.tables import json_with_comments, mapping

DESCRIPTIONS = (".devcontainer/devcontainer.json", ".devcontainer.json")
"""Where a repository describes its container, the first that is there."""

FOLDER = ".devcontainer"

ENGINE = "podman"
"""What runs containers; the only one that shows their files to an ordinary user."""

_COMPOSE = "it is made of several containers (dockerComposeFile): name its services in the recipe"
_CONTEXT = "its build reads files outside of the repository"
_ELSEWHERE = frozenset({"HOME", "HOSTNAME", "SHELL", "TMPDIR", "USER", "LOGNAME"})


@dataclass(frozen=True)
class Container:
    """A container that a workspace's processes work in: its name, and where this host sees its files.

    The workspace is seen as `folder`, too, the same in all containers of a repository: what is installed
    in an image may name it. `environment` is what its image has processes know. What starts with the words of `enter` may enter
    its files, where not everybody of this user may.
    """

    name: str
    root: Path
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    enter: tuple[str, ...] = ()


def describes_container(path: str) -> bool:
    """Tell whether a tracked file belongs to the description of a container."""
    return path in DESCRIPTIONS or path.startswith(f"{FOLDER}/")


def container_faults(text: str, file: str) -> tuple[str, ...]:
    """Say why no image can be made of a description without reaching out of the repository; nothing if it can.

    What only matters for running (mounts, runArgs, initializeCommand …) is not looked at: nothing of it is used.
    """
    said = json_with_comments(text)
    if not said:
        return (f"{file} is no JSON object",)
    if "dockerComposeFile" in said:
        return (_COMPOSE,)
    return tuple(_build_faults(mapping(said.get("build")), said, PurePosixPath(file).parent))


def image_environment(variables: tuple[str, ...], metadata: str, folder: str) -> dict[str, str]:
    """Return what an image has processes know: its own variables, then those of its descriptions.

    `metadata` is its label `devcontainer.metadata`, `folder` where a workspace lies. Variables that
    say who and where a process is are this host's matter.
    """
    split = (entry.partition("=") for entry in variables)
    found = {name: value for name, _, value in split}
    parts = _list(metadata)
    for name in ("containerEnv", "remoteEnv"):
        for part in parts:
            given = {key: str(value) for key, value in mapping(part.get(name)).items()}
            found |= {key: _filled(value, found, folder) for key, value in given.items()}
    return {
        name: value
        for name, value in found.items()
        if name and name not in _ELSEWHERE and "\0" not in name + value
    }


def _build_faults(
    build: Mapping[str, Any], said: Mapping[str, Any], base: PurePosixPath
) -> Iterator[str]:
    if options := build.get("options"):
        yield f"its build has options of its own: {options}"
    named = (build.get("context", said.get("context", ".")), build.get("dockerfile", "."))
    for path in (*named, said.get("dockerFile", ".")):
        if not isinstance(path, str) or "$" in path or _leaves(base / path):
            yield _CONTEXT
            return


def _leaves(path: PurePosixPath) -> bool:
    """Tell whether a path, relative to a repository, leads out of it."""
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return path.is_absolute()


def _filled(value: str, known: Mapping[str, str], folder: str) -> str:
    for name, own in known.items():
        value = value.replace(f"${{containerEnv:{name}}}", own)
    return value.replace("${containerWorkspaceFolder}", folder)


def _list(metadata: str) -> list[dict[str, Any]]:
    try:
        said = json.loads(metadata or "[]")
    except (ValueError, RecursionError):
        return []
    parts = cast("list[object]", said) if isinstance(said, list) else [cast("object", said)]
    return [mapping(part) for part in parts]
