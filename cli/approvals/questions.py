"""Answering the questions of agents, by commands and at the terminal."""

import re
import sys
import termios
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Group, RenderableType

from cli.core.client import Client, path_of
from cli.core.confirmation import UNSEEN, Hash, Picture, bind
from cli.core.console import (
    Json,
    ask_for,
    emit,
    messages,
    plain,
    quoted,
    say,
)
from cli.core.errors import CommandError, RefusedError
from cli.core.threads import Thread, ThreadName, connect_to
from cli.core.views import connect_and_read
from cli.core.works import one_called
from cli.plans import decisions as plan_decisions
from domain.conversations.questions.question import (
    ALLOW,
    DENY,
    QuestionKind,
    QuestionOption,
    Remember,
)
from domain.conversations.questions.views import OpenQuestion
from domain.reading.views import ThreadView
from domain.threads.shown import hash_option

app = typer.Typer()

_CHOICE = re.compile(r"([0-9]{1,3})\s*([st]?)")

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="QUESTION",
        help="A question id like task-1/question-1-2, or its task.",
        show_default=False,
    ),
]
Option = Annotated[
    str | None, typer.Option(help="The id of an option, as `treadle show` lists them.")
]
Keep = Annotated[Remember, typer.Option(help="Remember the answer for the session or the thread.")]


@app.command()
def allow(
    thread: Thread = None,
    question: Name = None,
    option: Option = None,
    remember: Keep = Remember.ONCE,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Allow what an agent asks permission for."""
    emit(_answered(thread, question, _Reply(ALLOW, option, remember, content)), as_json=as_json)


@app.command()
def deny(
    thread: Thread = None,
    question: Name = None,
    option: Option = None,
    remember: Keep = Remember.ONCE,
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Deny what an agent asks permission for; its turn continues."""
    emit(_answered(thread, question, _Reply(DENY, option, remember, content)), as_json=as_json)


@app.command()
def decide(
    thread: ThreadName,
    decision: Annotated[str, typer.Argument(metavar="DECISION", help="Decision id.")],
    options: Annotated[list[str], typer.Argument(metavar="OPTION…", help="Option labels.")],
    content: Hash = None,
    as_json: Json = False,
) -> None:
    """Answer a decision of the plan, or one that an agent asks for."""
    client, view = connect_and_read(thread)
    if "/" not in decision:  # the ids of a plan's decisions have none
        emit(plan_decisions.decided(client, view, decision, options, content), as_json=as_json)
        return
    found = next((q for q in view.questions if q.question.question_id == decision), None)
    if found is not None:
        options = [plan_decisions.label_called(label, found.question) for label in options]
        bind(_picture(view, found), content, f"Choose {', '.join(options)} for")
    path = path_of("threads", view.thread_id, "questions", decision, "answer")
    shown = found.question.content_hash if found else content or UNSEEN
    emit(client.post(path, {"selections": options, "content_hash": shown}), as_json=as_json)


@app.command()
def forget(
    thread: ThreadName,
    rule: Annotated[
        str, typer.Argument(metavar="RULE", help="A rule id, as `treadle show` lists them.")
    ],
    as_json: Json = False,
) -> None:
    """Forget a remembered answer; you are asked again."""
    client, thread_id = connect_to(thread)
    path = path_of("threads", thread_id, "rules", rule, "forget")
    emit(client.post(path, {}), as_json=as_json)


class _Reply(NamedTuple):
    """The options of a command that answers a permission request."""

    kinds: tuple[str, ...]
    option: str | None
    remember: Remember
    content: str | None


def _answered(thread: str | None, name: str | None, reply: _Reply) -> dict[str, Any]:
    """Answer a permission request."""
    client, view = connect_and_read(thread)
    asked = _meant(view, name)
    chosen = _option(asked, reply.option, reply.kinds)
    bind(_picture(view, asked), reply.content, "Allow" if reply.kinds == ALLOW else "Deny")
    return _sent(client, view, asked, chosen, reply.remember)


def _picture(view: ThreadView, asked: OpenQuestion) -> Picture:
    question = asked.question
    return Picture(
        content_hash=question.content_hash,
        drawn=drawn(asked),
        title=f"{question.question_id}, {question.phrase}",
        look=f"treadle show {view.thread_id}",
    )


def _meant(view: ThreadView, name: str | None) -> OpenQuestion:
    """Return the permission request that is meant: the only one, or the one of that id or task."""
    asked = [q for q in view.questions if q.question.kind is QuestionKind.PERMISSION]
    called = _called(name, asked)
    found = [q for q in asked if called in {None, q.question.question_id, q.task_id}]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(q.question.question_id for q in found)
        raise CommandError(f"several permission requests are open; name one: {listed}")
    what = f"no permission {name!r}" if name else "no permission"
    listed = ", ".join(q.question.question_id for q in asked)
    others = f"; open: {listed}" if listed else f" ({view.thread_id}: {view.status})"
    raise CommandError(f"{what} request is open{others}")


def _called(name: str | None, asked: list[OpenQuestion]) -> str | None:
    """Return the task or question that a part of its id names; an unknown one as it is."""
    if name is None:
        return None
    tasks = (q.task_id for q in asked if q.task_id)
    found = one_called(name, dict.fromkeys(tasks), "tasks")
    return found or one_called(name, (q.question.question_id for q in asked), "questions") or name


def _option(asked: OpenQuestion, option_id: str | None, kinds: tuple[str, ...]) -> QuestionOption:
    question = asked.question
    if option_id is not None:
        named = [
            o for o in question.options if o.option_id == option_id and o.kind not in _other(kinds)
        ]
        if named:
            return named[0]
        if any(o.option_id == option_id for o in question.options):
            way = "deny" if kinds == ALLOW else "allow"
            raise CommandError(f"the option {option_id!r} would {way} it: use `treadle {way}`")
    place = question.position(*kinds) if option_id is None else None
    if place is None:
        listed = ", ".join(f"{o.option_id} ({o.label})" for o in question.options)
        raise CommandError(f"name one of the agent's options with --option: {listed}")
    return question.options[place]


def _other(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the opposite kinds: `allow --option no` is a mistake."""
    return DENY if kinds == ALLOW else ALLOW


def _sent(
    client: Client,
    view: ThreadView,
    asked: OpenQuestion,
    option: QuestionOption,
    remember: Remember = Remember.ONCE,
) -> dict[str, Any]:
    question = asked.question
    body: dict[str, Any] = {"content_hash": question.content_hash, "remember": remember}
    if question.kind is QuestionKind.DECISION:
        body["selections"] = [option.label]
    else:
        body["option_id"] = option.option_id
    path = path_of("threads", view.thread_id, "questions", question.question_id, "answer")
    return client.post(path, body)


def drawn(asked: OpenQuestion) -> RenderableType:
    """Draw a question with its details and options."""
    question = asked.question
    where = f"{question.question_id}  {asked.agent}".strip()
    lines: list[RenderableType] = [plain(question.phrase, "bold yellow"), plain(where, "dim")]
    if question.detail:
        lines.append(quoted(question.detail))
    if question.detail_ref:
        lines.append(
            plain(f"truncated; the full text is {question.detail_ref[:12]} in the journal", "dim")
        )
    for number, option in enumerate(question.options, 1):
        about = f"({option.option_id}: {option.kind.replace('_', ' ')})" if option.kind else ""
        lines.append(plain(f"  {number}  {option.label}  {about or option.description}"))
    if question.scope:
        lines.append(plain(f"  --remember applies to exactly: {question.scope}", "dim"))
    return Group(*lines)


def ask(client: Client, view: ThreadView, asked: OpenQuestion) -> None:
    """Show a question at the terminal and send the person's answer, if any."""
    messages.rule(style="yellow")
    messages.print(drawn(asked))
    if sys.stdin.isatty():
        termios.tcflush(
            sys.stdin, termios.TCIFLUSH
        )  # what was typed before the question is no answer
    options = asked.question.options
    can_keep = asked.question.scope and asked.question.kind is QuestionKind.PERMISSION
    more = ", with s for the session or t for the thread" if can_keep else ""
    while typed := ask_for(f"number{more}, or Enter to decide later: "):
        if chosen := _chosen(typed, len(options)):
            number, keep = chosen
            try:
                say(_sent(client, view, asked, options[number - 1], keep)["message"])
            except RefusedError as error:
                say(str(error), style="red")  # answered elsewhere, or withdrawn
            return
        say(f"type a number from 1 to {len(options)}, like `1`" + (" or `1 s`" if can_keep else ""))


def _chosen(typed: str, count: int) -> tuple[int, Remember] | None:
    """Parse a number and how long to remember the answer: `2`, `2s`, `2 t`."""
    found = _CHOICE.fullmatch(typed)
    if not found or not 1 <= int(found[1]) <= count:
        return None
    return int(found[1]), {"s": Remember.SESSION, "t": Remember.THREAD}.get(found[2], Remember.ONCE)


def answers(view: ThreadView, asked: OpenQuestion) -> str:
    """Return the commands that answer a question."""
    question, thread = asked.question, view.thread_id
    name, shown = question.question_id, hash_option(question.content_hash)
    if question.kind is QuestionKind.DECISION:
        return plan_decisions.way(thread, name, question)
    others = [o for o in question.options if o.kind not in {"allow_once", "reject_once"}]
    listed = f" (or --option {' | '.join(o.option_id for o in others)})" if others else ""
    allow = f"treadle allow {thread} {name}{shown}{listed}"
    return f"{allow}, or treadle deny {thread} {name}{shown}"
