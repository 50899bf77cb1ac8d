"""What waits for a person, as permission requests of the protocol: all that is shown, and where each answer goes."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from acp import helpers, schema

from cli.acp.engine import Engine, Post
from cli.acp.patches import diff_content
from cli.approvals import approvals, questions
from cli.core.client import path_of
from cli.core.console import as_text, inert
from cli.plans import decisions
from cli.threads import status
from domain.conversations.questions.question import ALLOW, DENY, QuestionKind, Remember
from domain.conversations.questions.views import OpenQuestion
from domain.core.approvals import Subject
from domain.core.markdown import fenced
from domain.reading.views import OpenRequest, ThreadView
from domain.threads.shown import ShownDecision

Kind = Literal["allow_once", "allow_always", "reject_once", "reject_always"]
Content = (
    schema.ContentToolCallContent | schema.FileEditToolCallContent | schema.TerminalToolCallContent
)

MOST_SHOWN = 2_000_000
"""Characters of a patch that an editor is shown; a longer one is reviewed elsewhere."""

LATER = "later"


@dataclass(frozen=True)
class Option:
    """An answer; without a `post` nothing is sent. With `wants_words` the next message says what to change."""

    option_id: str
    name: str
    kind: Kind
    post: Post | None = None
    wants_words: bool = False


@dataclass(frozen=True)
class Ask:
    """One thing that is asked; its `key` is of exactly what is shown."""

    key: str
    title: str
    by_command: str
    """How it is answered on the command line."""
    options: tuple[Option, ...]
    text: str
    patch: tuple[str, dict[str, str]] | None = None
    """The route and parameters of a patch that is shown with it."""
    text_ref: str = ""
    """A longer text of it in the journal."""
    tool_kind: schema.ToolKind = "other"
    shown: tuple[Content, ...] = field(default=(), compare=False)


def asks_in(view: ThreadView, note: str) -> Iterator[Ask]:
    """Yield all that a person is asked in a thread and can answer in an editor; `note` says where that was."""
    for request in view.requests:
        is_contest = request.request.subject is Subject.BEST_OF
        yield (_of_contest if is_contest else _of_request)(view, request, note)
    for question in view.questions:
        if not question.question.multi_select:
            yield _of_question(view, question)
    for decision in view.decisions:
        if not decision.multi_select:
            yield _of_decision(view, decision)


def _of_request(view: ThreadView, request: OpenRequest, note: str) -> Ask:
    asked = request.request
    unread = bool(status.unread_kinds(view, request))
    body = {
        "request_id": asked.request_id,
        "content_hash": asked.content_hash,
        "note": note,
    }
    approve = {**body, "choice": "approve", "is_acknowledged": unread}
    reject = Post(("approvals",), {**body, "choice": "reject"})
    warned = ", its warnings read" if unread else ""
    is_plain = asked.subject is Subject.SUGGESTION
    words = "No" if is_plain else "Reject, and say what to change"
    plan = next((p for p in view.plans if p.request.request_id == asked.request_id), None)
    drawn = as_text(approvals.shown(view, request, is_whole=True))
    handoff = (
        f"\n\nWhat its agents are told:\n\n{inert(plan.handoff)}" if plan and plan.handoff else ""
    )
    return Ask(
        key=f"{asked.request_id}@{asked.content_hash[:12]}",
        title=f"Approve the {asked.subject.phrase}: {asked.title}",
        by_command=status.answers(view, request),
        options=(
            Option("approve", f"Approve{warned}", "allow_once", Post(("approvals",), approve)),
            Option("reject", words, "reject_once", reject, wants_words=not is_plain),
            Option(LATER, "Decide later", "reject_once"),
        ),
        text=drawn + handoff,
        patch=_patch_of(view, request),
    )


def _of_contest(view: ThreadView, request: OpenRequest, note: str) -> Ask:
    """Return the candidates of a task: one is taken where the changes of each can be compared."""
    asked, ways = request.request, status.answers(view, request)
    reject = {
        "request_id": asked.request_id,
        "content_hash": asked.content_hash,
        "note": note,
        "choice": "reject",
    }
    again = "Take none, and say what to change"
    drawn = as_text(approvals.shown(view, request, is_whole=True))
    return Ask(
        key=f"{asked.request_id}@{asked.content_hash[:12]}",
        title=f"Choose between the {asked.subject.phrase}: {asked.title}",
        by_command=ways,
        options=(
            Option("reject", again, "reject_once", Post(("approvals",), reject), wants_words=True),
            Option(LATER, "Decide later, or there", "reject_once"),
        ),
        text=f"{drawn}\n\nOne is taken where their changes can be compared: on the page, or by {ways}",
    )


def _patch_of(view: ThreadView, request: OpenRequest) -> tuple[str, dict[str, str]] | None:
    """Return where the changes are that a gate is about, as they were asked about."""
    task = next((t for t in view.runs if t.task_id == request.task_id), None)
    if task is None or request.request.subject is not Subject.GATE or task.snapshot is None:
        return None
    path = path_of("threads", view.thread_id, "tasks", task.task_id, "diff")
    return path, {"since": "base", "commit": task.snapshot.commit}


def _of_question(view: ThreadView, asked: OpenQuestion) -> Ask:
    question = asked.question
    path = ("questions", question.question_id, "answer")
    hashed = {"content_hash": question.content_hash}
    options: list[Option] = []
    for option in question.options:
        if question.kind is QuestionKind.DECISION:
            chosen = Post(path, {**hashed, "selections": [option.label]})
            options.append(Option(option.option_id, option.label, "allow_once", chosen))
            continue
        if question.scope and option.kind.endswith("_always"):
            continue  # Treadle remembers it, and forgets it when told to
        body = {**hashed, "option_id": option.option_id}
        post = Post(path, body)
        once = Option(option.option_id, option.label, _kind(option.kind), post)
        options.append(once)
        if question.scope and option.kind in {ALLOW[0], DENY[0]}:
            options += _remembered(once, post, {each.option_id for each in question.options})
    return Ask(
        key=f"{question.question_id}@{question.content_hash[:12]}",
        title=question.phrase,
        by_command=questions.answers(view, asked),
        options=tuple(options),
        text=as_text(questions.drawn(asked)),
        text_ref=question.detail_ref,
    )


def _remembered(once: Option, post: Post, known: Collection[str]) -> Iterator[Option]:
    """Yield the same answer for what a person may have remembered, by ids that are none of the agent's."""
    always: Kind = "allow_always" if once.kind in ALLOW else "reject_always"
    for keep, where in ((Remember.SESSION, "in this session"), (Remember.THREAD, "in this thread")):
        name = f"{once.option_id}/{keep}"
        while name in known:
            name = f"-{name}"
        kept = Post(post.path, {**post.body, "remember": keep.value})
        yield Option(name, f"{once.name}, always {where}", always, kept)


def _kind(kind: str) -> Kind:
    """Return a kind of the protocol; what an agent made up is no permission."""
    match kind:
        case "allow_once" | "allow_always" | "reject_always":
            return kind
        case _:
            return "reject_once"


def _of_decision(view: ThreadView, decision: ShownDecision) -> Ask:
    path = ("decisions", decision.id)
    options = [
        Option(
            f"option-{number}",
            option.label,
            "allow_once",
            Post(path, {"selections": [option.label], "content_hash": decision.content_hash}),
        )
        for number, option in enumerate(decision.options, 1)
    ]
    return Ask(
        key=f"{decision.id}@{decision.content_hash[:12]}",
        title=decision.question,
        by_command=decisions.way(view.thread_id, decision.id, decision),
        options=(*options, Option(LATER, "Decide later", "reject_once")),
        text=as_text(decisions.drawn(decision)),
    )


async def content_of(ask: Ask, engine: Engine, folder: Path) -> list[Any] | None:
    """Return all that is shown of a request; None where an editor cannot show it whole."""
    text = ask.text
    if ask.text_ref:
        text += "\n\n" + inert(await engine.text(path_of("texts", ask.text_ref)))
    patch = ""
    if ask.patch is not None:
        path, parameters = ask.patch
        patch = inert(await engine.text(path, **parameters))
    if len(text) + len(patch) > MOST_SHOWN:
        return None
    whole = fenced(text, limit=len(text) + 1)
    return [helpers.tool_content(helpers.text_block(whole)), *diff_content(patch, folder)]
