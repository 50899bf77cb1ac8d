"""The lines in which a merge conflicts, as a terminal shows them."""

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from cli.core.client import path_of
from cli.core.console import emit, output, plain
from cli.core.errors import CommandError
from cli.core.threads import connect_to
from cli.core.works import task_called, work_or
from domain.core.conflict_lines import ConflictHunk, ConflictingFile, ConflictLines
from domain.core.text import counted
from domain.threads.shown import ShownConflict


def show_conflict(thread: str, task: str | None, *, as_json: bool) -> None:
    """Print what both sides of an open conflict have.

    Raises:
        CommandError: The task or chat has no open conflict.
    """
    client, thread_id = connect_to(thread)
    listed = client.get(path_of("threads", thread_id, "conflicts"))
    conflicts = [ShownConflict.model_validate(each) for each in listed]
    called = task_called(work_or(task), (each.conflict.called for each in conflicts))
    found = next((each for each in conflicts if each.conflict.called == called), None)
    if found is None:
        raise CommandError(f"{task or 'the work'} has no open conflict: `treadle show {thread_id}`")
    answer = client.get(path_of("threads", thread_id, "conflicts", found.content_hash))
    lines = ConflictLines.model_validate(answer)
    emit(answer, lambda _: output.print(Group(*drawn(lines))), as_json=as_json)


def drawn(found: ConflictLines) -> Iterator[Text]:
    """Yield all files with their conflicts, line by line."""
    for file in found.files:
        yield from _file(file)
    if found.files_left:
        yield plain(f"and {counted(found.files_left, 'more file')}", "dim")


def _file(file: ConflictingFile) -> Iterator[Text]:
    yield plain(f"{file.path}: {file.about}" if file.about else file.path, "bold")
    for hunk in file.hunks:
        yield from _hunk(hunk)
    if file.hunks_left:
        yield plain(f"  and {counted(file.hunks_left, 'more conflict')} in this file", "dim")


def _hunk(hunk: ConflictHunk) -> Iterator[Text]:
    yield plain(f"  line {hunk.line}", "dim")
    yield from (plain(f"    {line}", "dim") for line in hunk.before)
    yield from _side("A", hunk.a, hunk.a_left, "cyan")
    yield from _side("B", hunk.b, hunk.b_left, "magenta")
    yield from (plain(f"    {line}", "dim") for line in hunk.after)


def _side(name: str, lines: tuple[str, ...], left: int, style: str) -> Iterator[Text]:
    yield from (plain(f"  {name} {line}", style) for line in lines or ("(nothing)",))
    if left:
        yield plain(f"  {name} … {counted(left, 'more line')}", style)
