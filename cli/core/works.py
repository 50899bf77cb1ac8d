"""Tasks as commands name them: by id, a part of it, or, for the work of a plan without tasks, by its thread alone."""

from collections.abc import Iterable

import typer

from cli.core.client import EMPTY, Client, path_of
from cli.core.errors import CommandError
from domain.core.closest import few_names
from domain.core.ids import WORK


def work_or(task: str | None) -> str:
    """Return the task that is meant: without one, the work of a plan without tasks."""
    return task or WORK


def one_called(wanted: str, known: Iterable[str], what: str) -> str | None:
    """Return the id that is meant: the same, else the only one with that part; None for none.

    Upper and lower case make no difference.

    Raises:
        CommandError: Several have that part; the message lists them, as `what`. Or nothing was given.
    """
    if not wanted:
        raise CommandError(EMPTY)
    ids = list(known)
    if wanted in ids:
        return wanted
    found = [name for name in ids if wanted.casefold() in name.casefold()]
    same = [name for name in found if name.casefold() == wanted.casefold()]
    if len(same or found) > 1:
        raise CommandError(f"{wanted!r} matches several {what}: {few_names(found)}")
    return next(iter(same or found), None)


def task_called(wanted: str, known: Iterable[str]) -> str:
    """Return the id of the task that is meant; an unknown one as it is, which the API refuses in words.

    Raises:
        CommandError: Several have that part.
    """
    return wanted if wanted == WORK else one_called(wanted, known, "tasks") or wanted


def task_in(client: Client, thread_id: str, wanted: str) -> str:
    """Return the id of the task of a thread that is meant; fails as `task_called` and `Client.get` do."""
    if wanted == WORK:
        return wanted
    view = client.get(path_of("threads", thread_id))
    return task_called(
        wanted, [task["task_id"] for task in (*view["tasks"], *view.get("candidates", ()))]
    )


def place_and_word(words: list[str], names: str) -> tuple[str, str]:
    """Return where a word applies, and the word; one alone applies to the work of a plan without tasks.

    Raises:
        BadParameter: There are more than two; `names` is how they are called.
    """
    match words:
        case [word]:
            return WORK, word
        case [place, word]:
            return place, word
        case _:
            raise typer.BadParameter(f"give {names}, not {len(words)} words", param_hint=names)
