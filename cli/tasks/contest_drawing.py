"""Tasks that several agents do at once, as they are drawn on a terminal: one table."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table

from cli.core.console import plain, quoted
from cli.core.tables import table_of
from cli.tasks.session_drawing import took
from domain.core.text import duration
from domain.plans.best_of import AgentChoice
from domain.reading.contest_views import CandidateView, ContestView

_STYLES = {"ready": "bold green", "taken": "bold green", "merged": "green", "failed": "red"}


def contest(view: ContestView) -> RenderableType:
    """Draw a contest: a row for each candidate, and what a person should know of their work."""
    head = plain(f"{view.task_id}: {view.title}", "bold")
    risks = (
        plain(f"  ! {each.letter}: {risk}", "bold red")
        for each in view.candidates
        for risk in each.risks
    )
    notes = (
        plain(f"  {each.letter}: {each.notes}", "dim") for each in view.candidates if each.notes
    )
    hashed = (
        [plain(f"  content hash {view.request.content_hash[:12]}", "dim")] if view.request else []
    )
    return Group(head, _table(view), *risks, *notes, *_opinion(view), *hashed)


def _opinion(view: ContestView) -> Iterator[RenderableType]:
    """Draw what the judge says, and whose work has which number for it."""
    found = view.opinion
    if found is None:
        return
    who = AgentChoice(found.agent, found.model).text
    numbers = ", ".join(f"work {n} is {letter}" for n, letter in enumerate(found.letters, 1))
    if found.failure:
        yield plain(f"  {who} gave no opinion: {found.failure}", "dim")
    elif not found.text:
        yield plain(f"  waiting for the opinion of {who}", "dim")
    else:
        old = "" if found.is_of_now else ", on an earlier version"
        yield plain(f"  Opinion of {who} ({numbers}{old}), advisory only:", "bold")
        yield quoted(found.text)


def _table(view: ContestView) -> Table:
    table = table_of("", "agent", "status", "checks", "findings", "changes", "time", "usage")
    for each in view.candidates:
        style = _STYLES.get(each.standing, "dim")
        cells = (each.letter, AgentChoice(each.agent, each.model).text, each.standing)
        more = (_checks(each), _findings(each), _changes(each))
        time = duration(each.work_ms) if each.work_ms else ""
        table.add_row(
            *(plain(str(cell), style) for cell in cells),
            *(plain(cell) for cell in (*more, time, took(each.stats))),
        )
    return table


def _checks(each: CandidateView) -> str:
    if not each.attempts:
        return ""
    failed = f", failed: {', '.join(each.failed)}" if each.failed else ""
    return f"{each.passed} passed{failed}"


def _findings(each: CandidateView) -> str:
    return ", ".join(f"{count} {severity}" for severity, count in each.findings.items())


def _changes(each: CandidateView) -> str:
    if not each.commit:
        return ""
    files = "file" if each.files == 1 else "files"
    return f"+{each.insertions} −{each.deletions} in {each.files} {files}"


def ways(thread_id: str, view: ContestView) -> Iterator[str]:
    """Yield the commands that read and answer a contest."""
    if view.request is None:
        return
    for each in view.candidates:
        if each.standing == "ready":
            yield f"treadle diff {thread_id} {each.candidate}"
            yield f"treadle take {thread_id} {each.candidate}"
