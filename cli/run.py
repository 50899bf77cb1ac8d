"""`treadle run` and `treadle attach`: a job from goal to merged branch."""

import secrets
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import plans, queue, standing, talk, templates
from cli.agent_options import Mode, Option, options_of
from cli.client import Client, CommandError, RefusedError, UnreachableError, path_of
from cli.console import Json, load_settings, messages, print_json, say
from cli.folders import whole
from cli.live import Manner, Watch
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick
from domain.core.text import counted
from domain.reading.event_kinds import JOURNALED
from domain.reading.views import ThreadView
from domain.threads.events import ThreadOpened

app = typer.Typer()

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve everything, as you, and say so.")]

Parallel = Annotated[
    int | None,
    typer.Option("--parallel", "--max-parallel", min=1, max=100, help="Tasks at once."),
]
Auto = Annotated[
    bool | None,
    typer.Option("--auto/--ask", help="Start a plan without warnings unasked.", show_default=False),
]
DecisionTimeout = Annotated[
    int | None,
    typer.Option(
        min=0, max=MAX_NUMBER, help="Seconds a decision waits before its safe default is taken."
    ),
]
PlanFiles = Annotated[
    bool | None,
    typer.Option(
        "--plan-files/--no-plan-files", help="Let agents keep plan files.", show_default=False
    ),
]
Rivals = Annotated[
    list[str] | None, typer.Option(help="One more agent that plans the same; AGENT or AGENT:MODEL.")
]


@app.command()
def run(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What shall be done.")],
    repo: Annotated[Path, typer.Option(help="A git repository.")] = Path(),
    agent: Annotated[str | None, typer.Option(help="The agent that works.")] = None,
    model: Annotated[str | None, typer.Option(help="The agent's model.")] = None,
    mode: Mode = None,
    option: Option = None,
    template: Annotated[str | None, typer.Option(help="The plan template.")] = None,
    parallel: Parallel = None,
    auto: Auto = None,
    decision_timeout: DecisionTimeout = None,
    rival: Rivals = None,
    plan_files: PlanFiles = None,
    no_plan: Annotated[bool, typer.Option("--no-plan", help="Just chat.")] = False,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Do not wait for it.")] = False,
    queued: Annotated[bool, typer.Option("--queue", help="Start it when its turn comes.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Have a goal planned and done on a repository; leaving does not stop it."""
    _refuse_rivals_of_a_chat(rival, is_planned=not no_plan)
    folder = whole(repo)
    client = _engine(folder, agent)
    chosen = {"agent": agent, "model": model, "template": template, "plan_files": plan_files}
    body = {
        "command_id": secrets.token_hex(8),
        "repository": str(folder),
        "goal": goal,
        **chosen,
        "options": options_of(option, mode),
        "is_planned": not no_plan,
        "max_parallel_tasks": parallel,
        "planner": {"auto_run": auto, "decision_timeout_seconds": decision_timeout},
    }
    if queued:
        return queue.put(client, body, queue.Waits(), as_json=as_json)
    opened = _begin(client, body, repo, rival)
    if detach:
        return _leave(opened, as_json=as_json)
    return _stay(client, opened, is_chat=no_plan, is_yes=yes, as_json=as_json)


def _refuse_rivals_of_a_chat(rivals: list[str] | None, *, is_planned: bool) -> None:
    """Refuse, before a thread is opened, a rival of a plan that is not made.

    Raises:
        CommandError: There are rivals, and nothing is planned.
    """
    if rivals and not is_planned:
        raise CommandError("with --no-plan there is no plan to rival: leave one of the two away")


def _begin(
    client: Client, body: dict[str, Any], repo: Path, rivals: list[str] | None
) -> dict[str, Any]:
    opened = _opened(client, body, repo)
    thread_id: str = opened["thread_id"]
    say(f"Thread {thread_id}", style="bold")
    _tell_of_start(client, thread_id)
    _add_rivals(client, thread_id, rivals)
    return opened


def _add_rivals(client: Client, thread_id: str, rivals: list[str] | None) -> None:
    """Have each rival plan; the thread goes on without those that are refused."""
    for name in rivals or ():
        try:
            plans.add_rival(client, thread_id, name)
        except RefusedError as error:
            say(f"{name} does not plan: {error}", style="red")


def _stay(
    client: Client, opened: dict[str, Any], *, is_chat: bool, is_yes: bool, as_json: bool
) -> None:
    if is_chat:
        talk.print_answer(client, opened["thread_id"], opened, after=0, as_json=as_json)
    else:
        _watch(client, opened["thread_id"], is_yes=is_yes, as_json=as_json)


def _leave(opened: dict[str, Any], *, as_json: bool) -> None:
    say(f"It works in the background: treadle attach {opened['thread_id']}")
    if as_json:
        print_json(opened)


@app.command()
def attach(thread: Thread = None, yes: Yes = False, as_json: Json = False) -> None:
    """Watch a thread and answer what it asks, until it ends or you leave."""
    client = Client(load_settings())
    _watch(client, pick(client, thread), is_yes=yes, as_json=as_json)


def _watch(client: Client, thread_id: str, *, is_yes: bool, as_json: bool) -> None:
    try:
        view = Watch(client, thread_id, Manner(is_yes=is_yes)).run()
    except KeyboardInterrupt:
        say("")
        say(f"You left; nothing stops. Take it up again: treadle attach {thread_id}")
        raise typer.Exit from None
    if as_json:
        print_json(view.model_dump(mode="json"))
    else:
        messages.print(standing.summary(view))
        _tell_what_next(view)
    if view.status not in {"completed", "chat"}:
        raise typer.Exit(1)


def _tell_what_next(view: ThreadView) -> None:
    if view.status == "failed":
        say(f"Mend it as told above, or give it up: treadle cancel {view.thread_id}", style="red")
    elif view.status == "chat":
        say(f"Go on: treadle say {view.thread_id} TEXT")
    elif view.status == "completed":
        say(f"Look at it: git -C {view.repository} log --graph {view.branch}")


def _refuse_hopeless(repository: Path, agent: str | None) -> None:
    """Refuse, before an engine is started, what it would refuse.

    Raises:
        CommandError: The folder is no git repository, or there is no agent.
    """
    if not repository.is_dir():
        raise CommandError(f"{repository} is no folder: name a git repository with --repo")
    has_git = any((folder / ".git").exists() for folder in (repository, *repository.parents))
    if not has_git and not (repository / "HEAD").exists():  # which a bare one has
        raise CommandError(f"{repository} is no git repository: `git init` it, or use --repo")
    if agent is None:
        raise CommandError(
            "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for Treadle's own agent, or name "
            "an agent with --agent; `treadle agents` says which are here"
        )


def _engine(repository: Path, agent: str | None) -> Client:
    """Return a client of the engine; where none answers one is started in the background.

    Raises:
        CommandError: The engine would refuse what is asked, or did not start.
    """
    settings = load_settings()
    client = Client(settings)
    if client.is_answered():
        return client
    _refuse_hopeless(repository, agent or settings.default_agent)
    say("No engine runs: starting one in the background (`treadle down` stops it).")
    started = subprocess.run([sys.executable, "-P", "-m", "treadle", "up", "--detach"], check=False)
    if started.returncode != 0:
        raise UnreachableError("the engine did not start: see above, and `treadle doctor`")
    return client


def _opened(client: Client, body: dict[str, Any], repo: Path) -> dict[str, Any]:
    """Open a thread; what an untrusted template would do is shown first, and asked."""
    try:
        return client.post("/v1/threads", body)
    except RefusedError as error:
        if error.name != "template_not_trusted":
            raise
    view = templates.view_of(client, body["template"] or "default", repo)
    templates.ask_trust(client, view, repo)
    return client.post("/v1/threads", {**body, "command_id": secrets.token_hex(8)})


def _tell_of_start(client: Client, thread_id: str) -> None:
    """Tell what a thread starts from, where a person may expect something else."""
    for row in client.get(path_of("threads", thread_id, "events"), limit=1)["events"]:
        body = JOURNALED.validate_python(row).event.body
        if not isinstance(body, ThreadOpened):
            continue
        for warning in body.template.warnings:
            say(f"template {body.template.label}: {warning}", style="yellow")
        if body.facts.uncommitted:
            count = counted(body.facts.uncommitted, "uncommitted change")
            say(f"{count} not seen: work starts from HEAD.", style="yellow")
