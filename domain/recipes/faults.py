"""What a workspace recipe must not say; checked when its file is read, never on what was kept."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.core.ids import is_name
from domain.recipes.recipe import SERVED, Secret, Service, User, WorkspaceRecipe

MAX_LISTED = 50
MAX_BYTES = 8_192
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}", re.ASCII)
_OURS = re.compile(r"TREADLE_|(PATH|HOME|LD_PRELOAD|LD_LIBRARY_PATH)$", re.ASCII)
_URL_PATH = re.compile(r"/(?![^\\#]*[\\#])[!-~]{0,1000}", re.ASCII)
_SOURCES = ("keyring", "file", "command")
_LISTS = ("setup", "copied", "linked", "cleanup", "inputs", "path", "sparse")
_PATTERNS = ("copied", "linked", "inputs", "path", "sparse")
_INSTEAD = {"PATH": ", or give folders as 'path'"}
_WRITTEN = {"copied": "copy", "linked": "link"}


class RecipeFault(NamedTuple):
    """One thing that is wrong: where, by the stable name of its kind, and in words."""

    place: tuple[str | int, ...]
    type: str
    words: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.place))}: {self.words} ({self.type})"


def find_recipe_faults(recipe: WorkspaceRecipe) -> Iterator[RecipeFault]:
    """Yield everything that a recipe's file must not say."""
    for name in _LISTS:
        yield from _of_list(name, getattr(recipe, name))
    for name, size in (
        ("environment", recipe.environment),
        ("secrets", recipe.secrets),
        ("services", recipe.services),
    ):
        if len(size) > MAX_LISTED:
            yield RecipeFault((name,), "too_many", f"at most {MAX_LISTED}")
    for name, value in recipe.environment.items():
        yield from _of_variable(("environment", name), name)
        if name in recipe.secrets:
            words = "it is a secret as well: give one of them"
            yield RecipeFault(("environment", name), "conflict", words)
        if not _is_text(value, may_be_empty=True):
            yield RecipeFault(("environment", name), "bad_value", _TEXT)
    for name, secret in recipe.secrets.items():
        yield from _of_secret(name, secret)
    yield from _of_services(recipe.services)


_TEXT = f"give at most {MAX_BYTES} bytes without a NUL character"


def _of_list(name: str, texts: Sequence[str]) -> Iterator[RecipeFault]:
    written = _WRITTEN.get(name, name)
    if len(texts) > MAX_LISTED:
        yield RecipeFault((written,), "too_many", f"at most {MAX_LISTED}")
    for number, text in enumerate(texts):
        if not _is_text(text):
            yield RecipeFault((written, number), "bad_value", f"{_TEXT}, and not an empty one")
        elif name in _PATTERNS and not _is_inside(text):
            words = "the path leads out of the repository: give one inside it, without '..' or '!'"
            yield RecipeFault((written, number), "bad_path", words)
        elif name == "sparse" and not (text.strip("/. ") and "\n" not in text):
            words = "it is no folder: leave `sparse` out to have all files checked out"
            yield RecipeFault((written, number), "bad_path", words)


def _of_variable(place: tuple[str, ...], name: str) -> Iterator[RecipeFault]:
    if not _VARIABLE.fullmatch(name):
        words = "a variable's name has letters, digits and '_', and begins with no digit"
        yield RecipeFault(place, "bad_name", words)
    elif _OURS.match(name):
        yield RecipeFault(
            place,
            "bad_name",
            f"{name} is set by Treadle: choose another name{_INSTEAD.get(name, '')}",
        )


def _of_secret(name: str, secret: Secret) -> Iterator[RecipeFault]:
    place = ("secrets", name)
    yield from _of_variable(place, name)
    given = [source for source in _SOURCES if getattr(secret, source) is not None]
    if len(given) != 1:
        words = "say where its value comes from: one of keyring, file and command"
        yield RecipeFault(place, "conflict" if given else "missing_field", words)
    for source in given:
        if not _is_text(getattr(secret, source)):
            yield RecipeFault((*place, source), "bad_value", f"{_TEXT}, and not an empty one")
    if not secret.users:
        yield RecipeFault((*place, "for"), "missing_field", "say for whom: nobody would get it")
    if User.PERSON in secret.users:
        words = "a person has no process: give 'setup', 'agent', 'verification' or labels of steps"
        yield RecipeFault((*place, "for"), "bad_value", words)


def _of_services(services: Mapping[str, Service]) -> Iterator[RecipeFault]:
    ports: dict[str, str] = {}
    for name, service in services.items():
        yield from _of_service(("services", name), name, service)
        other = ports.setdefault(service.port, name) if service.port is not None else name
        if other != name:
            words = f"the service {other!r} has the port {service.port!r} already"
            yield RecipeFault(("services", name, "port"), "conflict", words)
        for other in service.depends_on:
            if other not in services:
                words = f"there is no service {other[:80]!r}"
                yield RecipeFault(("services", name, "depends_on"), "unknown_service", words)
    if circle := find_circle({name: each.depends_on for name, each in services.items()}):
        words = f"services wait for each other: {' -> '.join(circle)}"
        yield RecipeFault(("services", circle[0], "depends_on"), "dependency_cycle", words)


def _of_service(place: tuple[str, str], name: str, service: Service) -> Iterator[RecipeFault]:
    if not is_name(name):
        words = "a service's name has lowercase letters, digits and dashes"
        yield RecipeFault(place, "bad_name", words)
    if not _is_text(service.command):
        yield RecipeFault((*place, "command"), "bad_value", f"{_TEXT}, and not an empty one")
    if service.port is not None and not is_name(service.port):
        words = f"there can be no port {service.port[:80]!r}"
        yield RecipeFault((*place, "port"), "unknown_port", words)
    if service.health is not None:
        yield from _of_health((*place, "health"), service)
    if not _is_folder(service.cwd):
        words = "the folder is not in the repository: give a relative path without '..'"
        yield RecipeFault((*place, "cwd"), "bad_path", words)
    if len(service.environment) > MAX_LISTED:
        yield RecipeFault((*place, "environment"), "too_many", f"at most {MAX_LISTED}")
    for variable, value in service.environment.items():
        yield from _of_variable((*place, "environment", variable), variable)
        if not _is_text(value, may_be_empty=True):
            yield RecipeFault((*place, "environment", variable), "bad_value", _TEXT)
    if not service.users or User.SETUP in service.users:
        words = f"say for whom: {', '.join(SERVED)}"
        kind = "bad_value" if service.users else "missing_field"
        yield RecipeFault((*place, "for"), kind, words)


def _of_health(place: tuple[str, ...], service: Service) -> Iterator[RecipeFault]:
    if service.port is None:
        yield RecipeFault(place, "missing_field", "it is asked on a port: give `port`")
    if not _URL_PATH.fullmatch(service.health or ""):
        words = "give the path of a URL, as '/health', in characters that a URL is made of"
        yield RecipeFault(place, "bad_value", words)


def find_circle(needs: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return names that need each other in a circle, the first also at the end; empty if none do."""
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> tuple[str, ...]:
        if name in path:
            return (*path[path.index(name) :], name)
        if name in done or name not in needs:
            return ()
        found = next(filter(None, (visit(other, (*path, name)) for other in needs[name])), ())
        done.add(name)
        return found

    return next(filter(None, (visit(name, ()) for name in needs)), ())


def _is_text(text: str | None, *, may_be_empty: bool = False) -> bool:
    is_there = text is not None and (may_be_empty or bool(text.strip()))
    return is_there and text is not None and "\0" not in text and len(text.encode()) <= MAX_BYTES


def _is_folder(path: str) -> bool:
    return path == "." or (_is_text(path) and not path.startswith("/") and _is_inside(path))


def _is_inside(pattern: str) -> bool:
    """Tell whether a pattern names something in the repository; one that begins with '/' is at its top."""
    parts = pattern.removeprefix("/").split("/")
    return ".." not in parts and ".git" not in parts and not pattern.startswith(("!", "#", "//"))
