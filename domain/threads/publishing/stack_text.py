"""What a pull request of a stack says: its task, how that was verified, and its neighbours."""

import hashlib
from collections.abc import Iterator, Sequence

from domain.forges.pull_requests import MAX_BODY, MAX_TITLE
from domain.forges.stacks import MAX_ABOUT, Layer
from domain.threads.running.state import ThreadTask

_SHORT = 12
_MAX_LABEL = 200


def about_task(entry: ThreadTask) -> str:
    """Return what a task was, and how it was verified before it was merged."""
    steps = [_in_line(step.label or step.subject) for step in entry.task.verification]
    listed = "\n".join(f"- {step}" for step in steps) or "- nothing: it has no verification"
    by = f"\n\nApproved by {', '.join(entry.approved_by)}." if entry.approved_by else ""
    merged = f"Merged into the thread's branch as {(entry.merge_commit or '')[:_SHORT]}"
    evidence = f"## Evidence\n\n{merged}, after it passed:\n\n{listed}{by}"[: MAX_ABOUT - 2]
    room = MAX_ABOUT - len(evidence) - 2
    return f"{entry.task.description.strip()[:room]}\n\n{evidence}".strip()


def layer_text(layer: Layer, stack: Sequence[Layer], base: str) -> tuple[str, str]:
    """Return title and body of a layer's pull request; links are to those that are open already."""
    title = _in_line(layer.title or layer.task_id)[:MAX_TITLE]
    parts = (
        layer.about,
        "\n".join(_neighbours(layer, stack, base)),
        "Planned, verified and approved with Treadle.",
    )
    return title, "\n\n".join(part for part in parts if part)[:MAX_BODY]


def digest_of(title: str, body: str) -> str:
    """Return what tells a text from others."""
    return hashlib.sha256(f"{title}\0{body}".encode()).hexdigest()[:16]


def _neighbours(layer: Layer, stack: Sequence[Layer], base: str) -> Iterator[str]:
    """Yield the stack from below, with the place of this one in it."""
    yield f"## Stack\n\nMerge these from the first to the last, into `{base}`:\n"
    for place, each in enumerate(stack, 1):
        title = _in_line(each.title or each.task_id)[:_MAX_LABEL]
        linked = f"[{title}]({each.url})" if each.url else title
        here = " (this one)" if each.task_id == layer.task_id else ""
        yield f"{place}. {linked}{here}"


def _in_line(text: str) -> str:
    """Return text on one line, of which nothing is a link or a mark."""
    return " ".join(text.split()).translate(str.maketrans("[]<>`", "()()'"))
