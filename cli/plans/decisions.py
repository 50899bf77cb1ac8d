"""Decisions of a plan: asked at the terminal, or answered by a command."""

import shlex
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType

from cli.core.client import Client, path_of
from cli.core.confirmation import UNSEEN, Picture, bind
from cli.core.console import ask_for, messages, plain, say
from cli.core.errors import RefusedError
from cli.core.works import one_called
from domain.conversations.questions.question import Question
from domain.reading.views import ThreadView
from domain.threads.shown import ShownDecision, hash_option


def ask_decision(client: Client, view: ThreadView, decision: ShownDecision) -> None:
    """Show a decision of the plan at the terminal and send the person's choice, if any."""
    messages.rule(style="yellow")
    messages.print(drawn(decision))
    several = ", several with commas" if decision.multi_select else ""
    while answer := ask_for(f"number{several}, or Enter to decide later: "):
        numbers = [int(part) for part in answer.replace(",", " ").split() if part.isdigit()]
        labels = [o.label for n, o in enumerate(decision.options, 1) if n in numbers]
        if labels:
            try:
                message = _sent(client, view, decision.id, labels, decision.content_hash)
            except RefusedError as error:
                say(str(error), style="red")
            else:
                say(message["message"])
            return


def decided(
    client: Client, view: ThreadView, name: str, labels: Sequence[str], content: str | None
) -> dict[str, Any]:
    """Answer a decision as it is in this view, or as the person saw it by its hash.

    Raises:
        CommandError: It has changed since they saw it.
    """
    called = one_called(name, (each.id for each in view.decisions), "decisions")
    found = next((each for each in view.decisions if each.id == called), None)
    if found is None:  # decided already, or none: the engine says which
        return _sent(client, view, name, labels, content or UNSEEN)
    name, labels = found.id, [label_called(label, found) for label in labels]
    picture = Picture(
        content_hash=found.content_hash,
        drawn=drawn(found),
        title=f"decision {name}",
        look=f"treadle show {view.thread_id}",
    )
    bind(picture, content, f"Choose {', '.join(labels)} for")
    return _sent(client, view, name, labels, found.content_hash)


def label_called(wanted: str, asked: ShownDecision | Question) -> str:
    """Return the label that is meant, whatever its upper and lower case; an unknown one as it is."""
    labels = [option.label for option in asked.options]
    same = [label for label in labels if label.casefold() == wanted.casefold()]
    return same[0] if wanted not in labels and len(same) == 1 else wanted


def way(thread_id: str, name: str, asked: ShownDecision | Question) -> str:
    """Return the command that answers a decision of the plan, or of an agent."""
    labels = " | ".join(shlex.quote(option.label) for option in asked.options)
    several = ", one or more" if asked.multi_select else ""
    return f"treadle decide {thread_id} {name} [{labels}{several}]{hash_option(asked.content_hash)}"


def drawn(decision: ShownDecision) -> RenderableType:
    """Draw a decision and its options."""
    lines = [plain(decision.question, "bold")]
    for number, option in enumerate(decision.options, 1):
        lines.append(plain(f"  {number}  {option.label}  {option.description}"))
    return Group(*lines)


def _sent(
    client: Client, view: ThreadView, name: str, labels: Sequence[str], shown: str
) -> dict[str, Any]:
    path = path_of("threads", view.thread_id, "decisions", name)
    return client.post(path, {"selections": list(labels), "content_hash": shown})
