"""How each package manager installs what a project needs, by the files that it keeps."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from domain.recipes.checkout_files import CheckoutFiles
from domain.recipes.python_tests import (
    extras_of_setup_cfg,
    has_pytest,
    set_for_tests,
    words_for_tests,
)
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.sources import Found
from domain.recipes.tables import mapping, toml_table

_PYTHON = ("pyproject.toml", "setup.py", "setup.cfg")
_REQUIREMENTS = re.compile(
    r"(requirements/)?(dev|test|tests|testing|ci)?[-_.]?requirements[-_.]?(dev|test|tests|testing|ci)?\.txt"
    r"|requirements/(base|dev|test|tests|testing|ci|local)\.txt|tests?/requirements\.txt",
    re.ASCII,
)
_TEST = re.compile(r"(^|/)(tests?/|test_[^/]*\.py$|[^/]*_test\.py$)", re.ASCII)
_VENV = "python3 -m venv .venv"
_VENV_PATH = (".venv/bin",)
_NODE_PATH = ("node_modules/.bin",)
_PIP = ".venv/bin/python -m pip install"
_NODE = {
    "pnpm-lock.yaml": ("pnpm", "pnpm install --frozen-lockfile"),
    "yarn.lock": ("yarn", "yarn install --frozen-lockfile"),
    "bun.lock": ("bun", "bun install --frozen-lockfile"),
    "bun.lockb": ("bun", "bun install --frozen-lockfile"),
    "package-lock.json": ("npm", "npm ci"),
    "npm-shrinkwrap.json": ("npm", "npm ci"),
}
_LOCKED_PYTHON: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "uv.lock": ("uv", ("uv sync --frozen",), {}),
    "poetry.lock": (
        "poetry",
        ("poetry install --no-interaction",),
        {"POETRY_VIRTUALENVS_IN_PROJECT": "true"},
    ),
    "pdm.lock": ("pdm", ("pdm sync --dev",), {}),
    "Pipfile.lock": ("pipenv", ("pipenv sync --dev",), {"PIPENV_VENV_IN_PROJECT": "1"}),
}
_TARGETS = ("setup", "bootstrap", "install-deps", "deps", "init")
_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)\s*:(?!=)", re.MULTILINE)


def _python(files: CheckoutFiles) -> Found | None:
    missing: list[str] = []
    for lock, (program, commands, environment) in _LOCKED_PYTHON.items():
        if not files.has(lock):
            continue
        if files.has_program(program):
            recipe = WorkspaceRecipe(setup=commands, environment=environment, path=_VENV_PATH)
            return Found(lock, recipe, f"Python, locked by {program}", "; ".join(missing))
        missing.append(f"{lock}: {program} is not on PATH, so pip installs without the lock")
    listed = sorted(path for path in files.tracked if _REQUIREMENTS.fullmatch(path))
    project = next((name for name in _PYTHON if files.has(name)), None)
    if project is None and not listed:
        return None
    commands = (_VENV, f"{_PIP} --quiet --upgrade pip", *_pip(files, project, listed))
    # such files include each other
    inputs = ("requirements/",) if any("/" in path for path in listed) else ()
    recipe = WorkspaceRecipe(setup=commands, path=_VENV_PATH, inputs=inputs)
    return Found(project or listed[0], recipe, "Python, by pip", "; ".join(missing))


def _pip(files: CheckoutFiles, project: str | None, listed: Sequence[str]) -> Iterable[str]:
    """Return the commands that install a project with what its tests need, then pytest if none has."""
    said = toml_table(files.text("pyproject.toml"))
    extras = mapping(mapping(said.get("project")).get("optional-dependencies"))
    extras = extras or extras_of_setup_cfg(files)
    groups = mapping(said.get("dependency-groups"))
    extra, group = set_for_tests(extras), set_for_tests(groups)
    words = [f"--requirement {path}" for path in listed]
    if project is not None and (project != "pyproject.toml" or _is_package(said)):
        words.append(f"--editable '.[{extra}]'" if extra else "--editable .")
    if group is not None:
        words.append(f"--group {group}")
    if words:
        yield f"{_PIP} --quiet {' '.join(words)}"
    is_named = has_pytest(extra, extras) or has_pytest(group, groups) or _names_tests(listed)
    if any(map(_TEST.search, files.tracked)) and not is_named:
        pytest = mapping(mapping(said.get("tool")).get("pytest"))
        options = mapping(pytest.get("ini_options")) or pytest
        yield f"{_PIP} --quiet {' '.join(words_for_tests(files, options))}"


def _names_tests(listed: Iterable[str]) -> bool:
    return any(name in path for path in listed for name in ("dev", "test", "ci"))


def _is_package(said: dict[str, Any]) -> bool:
    return "project" in said or "build-system" in said


def _node(files: CheckoutFiles) -> Found | None:
    if not files.has("package.json"):
        return None
    for lock, (program, command) in _NODE.items():
        if files.has(lock) and files.has_program(program):
            recipe = WorkspaceRecipe(setup=(command,), path=_NODE_PATH)
            return Found(lock, recipe, f"Node.js, locked by {program}")
    lock = next((name for name in _NODE if files.has(name)), None)
    if not _needs_packages(files.text("package.json")):
        return None
    missing = f"{lock}: {_NODE[lock][0]} is not on PATH, so npm installs without it" if lock else ""
    if not files.has_program("npm"):
        return Found("package.json", missing="package.json: npm is not on PATH")
    command = "npm install --no-package-lock --no-audit --no-fund"
    recipe = WorkspaceRecipe(setup=(command,), path=_NODE_PATH)
    return Found("package.json", recipe, "Node.js, by npm", missing)


def _needs_packages(text: str) -> bool:
    try:
        said = mapping(json.loads(text))
    except (ValueError, RecursionError):
        return True  # npm says better what is wrong with it
    return any(said.get(name) for name in ("dependencies", "devDependencies", "workspaces"))


def _rust(files: CheckoutFiles) -> Found | None:
    if not files.has("Cargo.toml"):
        return None
    locked = " --locked" if files.has("Cargo.lock") else ""
    recipe = WorkspaceRecipe(setup=(f"cargo test --no-run{locked}",))
    return _where("cargo", files, Found("Cargo.toml", recipe, "Rust, built for its tests"))


def _go(files: CheckoutFiles) -> Found | None:
    if not files.has("go.mod"):
        return None
    fetch = () if files.has("vendor/modules.txt") else ("go mod download",)
    recipe = WorkspaceRecipe(setup=(*fetch, "go test -run '^$' ./..."))
    return _where("go", files, Found("go.mod", recipe, "Go, built for its tests"))


def _ruby(files: CheckoutFiles) -> Found | None:
    if not files.has("Gemfile"):
        return None
    environment = {"BUNDLE_PATH": "vendor/bundle"}
    recipe = WorkspaceRecipe(setup=("bundle install",), environment=environment)
    return _where("bundle", files, Found("Gemfile", recipe, "Ruby, by Bundler"))


def _make(files: CheckoutFiles) -> Found | None:
    """Return a target that sets up, where no package manager's files say how."""
    if any(each(files) is not None for each in ECOSYSTEMS if each is not _make):
        return None
    targets = {match[1] for match in _TARGET.finditer(files.text("Makefile"))}
    target = next((name for name in _TARGETS if name in targets), None)
    if target is None:
        return None
    return Found("Makefile", WorkspaceRecipe(setup=(f"make {target}",)), f"its target {target!r}")


def _where(program: str, files: CheckoutFiles, found: Found) -> Found:
    if files.has_program(program):
        return found
    return Found(found.file, missing=f"{found.file}: {program} is not on PATH")


ECOSYSTEMS: tuple[Callable[[CheckoutFiles], Found | None], ...] = (
    _python,
    _node,
    _rust,
    _go,
    _ruby,
    _make,
)
"""What is looked for, in the order in which it is set up."""
