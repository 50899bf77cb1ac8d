"""What a layer depends on: the files, set up once, that every workspace begins with.

A layer is made from a commit's files by a recipe's commands. Two commits whose manifests and lock
files are the same have the same layer.
"""

import hashlib
import json
import shlex
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from domain.recipes.containers import describes_container
from domain.recipes.recipe import WorkspaceRecipe

MANIFESTS = (
    *("pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "*requirements.txt"),
    *("requirements*.in", "constraints*.txt", "uv.lock", "poetry.lock", "pdm.lock", "Pipfile"),
    *("Pipfile.lock", "environment.y*ml", "tox.ini", "noxfile.py", ".python-version"),
    *("package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"),
    *("pnpm-workspace.yaml", "bun.lock", "bun.lockb", ".npmrc", ".yarnrc", ".yarnrc.yml", ".nvmrc"),
    *(".node-version", "deno.json", "deno.lock", "Cargo.toml", "Cargo.lock", "rust-toolchain*"),
    *("go.mod", "go.sum", "go.work", "go.work.sum", "Gemfile", "Gemfile.lock", ".ruby-version"),
    *("composer.json", "composer.lock", "mix.exs", "mix.lock", "pubspec.yaml", "pubspec.lock"),
    *("pom.xml", "build.gradle*", "settings.gradle*", "gradle.lockfile", "Makefile", "makefile"),
    *("GNUmakefile", "justfile", "Taskfile.y*ml", ".tool-versions", "mise.toml", ".mise.toml"),
    *(".gitmodules", "WORKSPACE", "MODULE.bazel"),
)
"""The names of files that say what a project needs, as patterns."""

MAX_DEPTH = 4
"""Folders above a manifest that counts; deeper ones are tests' data more often than packages."""


def is_input(path: str, recipe: WorkspaceRecipe) -> bool:
    """Tell whether a tracked file counts for the layer: a manifest, what a command names, an input."""
    name = PurePosixPath(path).name
    is_manifest = path.count("/") < MAX_DEPTH and any(
        fnmatchcase(name, pattern) for pattern in MANIFESTS
    )
    is_named = path in named_in(recipe.setup)
    is_container = recipe.devcontainer and describes_container(path)
    return (
        is_manifest
        or is_named
        or is_container
        or any(_matches(path, each) for each in recipe.inputs)
    )


def named_in(commands: Iterable[str]) -> frozenset[str]:
    """Return the words of commands that may be paths in the repository, as they are spelled in git."""
    words: set[str] = set()
    for command in commands:
        try:
            split = shlex.split(command, comments=True)
        except ValueError:
            split = command.split()
        words |= {word.removeprefix("./") for word in split if not word.startswith("-")}
    return frozenset(words)


def layer_key(
    recipe: WorkspaceRecipe, inputs: Mapping[str, str], copied: str, platform: str
) -> str:
    """Return the name of a layer: a digest of all that makes it.

    `inputs` are the names of blobs by path, `copied` is a digest of the user's files that the recipe
    copies, `platform` says on what it is made.
    """
    parts = {
        "setup": recipe.setup,
        "environment": recipe.environment,
        "secrets": sorted(recipe.secrets),
        "copy": recipe.copied,
        "submodules": recipe.submodules,
        "lfs": recipe.lfs,
        "sparse": recipe.sparse,
        "inputs": sorted(inputs.items()),
        "copied": copied,
        "platform": platform,
    }
    if recipe.devcontainer:
        parts["devcontainer"] = True
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _matches(path: str, pattern: str) -> bool:
    """Tell whether a path is one that a pattern names: by its name, by its path, or by a folder of it."""
    plain = pattern.strip("/")
    if "/" not in plain and not pattern.startswith("/"):
        return any(fnmatchcase(part, plain) for part in PurePosixPath(path).parts)
    return fnmatchcase(path, plain) or fnmatchcase(path, f"{plain}/*")
