"""Recipes in what other tools keep for the same purpose, each taken as that tool's docs say it."""

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from domain.recipes.checkout_files import CheckoutFiles
from domain.recipes.containers import DESCRIPTIONS, ENGINE, container_faults
from domain.recipes.recipe import Service, User, WorkspaceRecipe
from domain.recipes.tables import json_with_comments, mapping, toml_table

_COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
_CONTAINERS = ("docker", "podman")


class Found(NamedTuple):
    """One thing that was found: in which file, what it gives, and in words; or what is missing for it."""

    file: str
    recipe: WorkspaceRecipe = WorkspaceRecipe()
    words: str = ""
    missing: str = ""


def other_tools(files: CheckoutFiles) -> Iterator[Found]:
    """Yield what other tools' files say: which ignored files to copy, and the first that sets up."""
    yield from _worktree_include(files)
    readers = (_conductor, _superset, _cursor, _devcontainer)
    yield from next(filter(None, ([*reader(files)] for reader in readers)), list[Found]())


def services_of_compose(files: CheckoutFiles, *, is_contained: bool) -> Iterator[Found]:
    """Yield the services of a compose file, where what runs it is on the host and work goes on there."""
    file = next((name for name in _COMPOSE if files.has(name)), None)
    if file is None:
        return
    if is_contained:
        words = "its services do not run in a devcontainer, name commands that do in the recipe"
        yield Found(file, missing=f"{file}: {words}")
        return
    program = next(filter(files.has_program, _CONTAINERS), None)
    if program is None:
        yield Found(file, missing=f"{file}: its services need docker or podman on PATH")
        return
    compose = f"{program} compose --file {file}"
    service = Service(command=f"{compose} up", users=(User.AGENT, User.VERIFICATION, User.PERSON))
    recipe = WorkspaceRecipe(
        services={"compose": service}, cleanup=(f"{compose} down --volumes --remove-orphans",)
    )
    yield Found(file, recipe, "services of a compose file")


def _worktree_include(files: CheckoutFiles) -> Iterator[Found]:
    lines = (line.strip() for line in files.text(".worktreeinclude").splitlines())
    patterns = tuple(line for line in lines if line and line[0] not in "#!")
    if patterns:
        yield Found(".worktreeinclude", WorkspaceRecipe(copied=patterns), "ignored files to copy")


def _conductor(files: CheckoutFiles) -> Iterator[Found]:
    file, said = ".conductor/settings.toml", toml_table(files.text(".conductor/settings.toml"))
    if not said:
        file, said = "conductor.json", json_with_comments(files.text("conductor.json"))
    scripts = mapping(said.get("scripts"))
    setup, run, archive = (_text(scripts.get(name)) for name in ("setup", "run", "archive"))
    yield from _scripts(file, setup, run, archive)


def _superset(files: CheckoutFiles) -> Iterator[Found]:
    file = ".superset/config.json"
    said = json_with_comments(files.text(file))
    setup, run, end = (_texts(said.get(name)) for name in ("setup", "run", "teardown"))
    yield from _scripts(file, setup, run, end)


def _cursor(files: CheckoutFiles) -> Iterator[Found]:
    file = ".cursor/worktrees.json"
    said = json_with_comments(files.text(file))
    wanted = said.get("setup-worktree-unix", said.get("setup-worktree"))
    # a text names a script beside the file, a list holds commands
    setup = (f"sh .cursor/{wanted}",) if isinstance(wanted, str) and wanted else _texts(wanted)
    yield from _scripts(file, setup)


def _devcontainer(files: CheckoutFiles) -> Iterator[Found]:
    file = next((name for name in DESCRIPTIONS if files.text(name)), "")
    if not file:
        return
    said = json_with_comments(files.text(file))
    names = ("onCreateCommand", "updateContentCommand", "postCreateCommand")
    setup = tuple(text for name in names for text in _lifecycle(said.get(name)))
    yield from _scripts(file, setup)
    yield _container(files, file)


def _container(files: CheckoutFiles, file: str) -> Found:
    """Return that work goes on in the container that a file describes, or what is missing for it."""
    if faults := container_faults(files.text(file), file):
        return Found(file, missing=f"{file}: no container is made, {faults[0]}")
    if not files.has_program(ENGINE):
        return Found(file, missing=f"{file}: its container needs {ENGINE} on PATH")
    return Found(file, WorkspaceRecipe(devcontainer=True), "work goes on in its container")


def _lifecycle(said: object) -> tuple[str, ...]:
    """Return a lifecycle script of a devcontainer: a shell's text, a command's words, or several by name."""
    if isinstance(said, list):
        return (" ".join(map(_quoted, _texts(cast("object", said)))),) if said else ()
    parts = mapping(said).values()
    return _text(said) + tuple(text for part in parts for text in _lifecycle(part))


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word, re.ASCII) else f"'{_escaped(word)}'"


def _escaped(word: str) -> str:
    return word.replace("'", "'\"'\"'")


def _scripts(
    file: str, setup: tuple[str, ...], run: tuple[str, ...] = (), end: tuple[str, ...] = ()
) -> Iterator[Found]:
    if not (setup or run or end):
        return
    service = Service(command="\n".join(run), users=(User.PERSON,))
    recipe = WorkspaceRecipe(setup=setup, cleanup=end, services={"run": service} if run else {})
    yield Found(file, recipe, "scripts of a workspace")


def _text(value: object) -> tuple[str, ...]:
    return (value.strip(),) if isinstance(value, str) and value.strip() else ()


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return _text(value)
    return tuple(text for each in cast("list[object]", value) for text in _text(each))
