"""The work of a plan without tasks, as commands name it: by its thread alone."""

import typer

from domain.core.ids import WORK


def work_or(task: str | None) -> str:
    """Return the task that is meant: without one, the work of a plan without tasks."""
    return task or WORK


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
