"""Texts of a task's runs: sessions, reports, ports, terminals, the gate, the end."""

from domain.agents import terminal_events
from domain.agents.protected import planted_words
from domain.core.event_text import EventText, error, highlight, info, success, warning
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.reading.event_text.phrases import after, agent_name, by, decided, quoted
from domain.reading.event_text.registry import describe, describes, silence
from domain.tasks import edits
from domain.tasks import events as task_events
from domain.tasks.terminals import describe_exit_of
from domain.verification.judges.names import judges_words


@describes(task_events.TaskOpened)
def _describe_run(event: task_events.TaskOpened) -> EventText:
    run = f", run {event.run}" if event.run > 1 else ""
    agent = agent_name(event.agent, event.model)
    summary = f"{task_name(event.task.id, 'Task')} started with {agent}{run}: {event.task.title}"
    return info(summary, event.task.description, task_id=event.task.id, milestone="task_started")


@describes(task_events.ReportReceived)
def _describe_report(event: task_events.ReportReceived) -> EventText:
    head = "Reported blocked" if event.is_blocked else "Reported done"
    text = quoted(head, event.report.summary)
    return (warning if event.is_blocked else highlight)(text.summary, text.details)


@describes(task_events.GateOpened)
def _describe_gate(event: task_events.GateOpened) -> EventText:
    snapshot = event.snapshot
    if snapshot is None or not snapshot.files:
        size, names = "no files changed", ""
    else:
        files = counted(snapshot.file_count or len(snapshot.files), "file")
        size = f"+{snapshot.insertions} -{snapshot.deletions} in {files}"
        names = f"Changed: {', '.join(snapshot.files)}"
    planted = planted_words(snapshot.planted) if snapshot else ""
    judges = judges_words(snapshot.judges) if snapshot else ""
    details = "\n".join(filter(None, (names, planted, judges, *event.doubts)))
    if event.is_automatic:
        return EventText(summary=f"Gate: {event.request.title} ({size})", details=details)
    summary = f"Waiting for approval: {event.request.title} ({size})"
    return warning(summary, details, milestone="gate_opened")


describe(
    task_events.GateWithdrawn,
    lambda _: "Approval request withdrawn: the work changed and is verified again",
)
describe(
    edits.SuggestionsAccepted,
    lambda event: quoted(
        f"{counted(len(event.suggestions), 'suggestion')} accepted{by(event.by)}",
        "\n".join(f"{each.spoken}\n{each.text or ''}" for each in event.suggestions),
    ),
)
describe(
    edits.SuggestionsApplied,
    lambda event: f"Suggestions applied in {event.snapshot.commit[:8]}; verified again",
)
describe(
    edits.SuggestionsRefused,
    lambda event: warning("Suggestions not applied", event.failure),
)
describe(task_events.GateDecided, lambda event: decided("Work", event.outcome, "gate"))
describe(task_events.PortLeased, lambda event: f"Port {event.port_id} is :{event.number}")
describe(task_events.PortReleased, lambda event: f"Port {event.port_id} released")
describe(
    task_events.TaskAborted,
    lambda event: error(f"Task aborted{by(event.by)}", milestone="task_aborted"),
)


@describes(task_events.TaskEnded)
def _describe_end(event: task_events.TaskEnded) -> EventText:
    tone = success if event.end is task_events.TaskEnd.ACCEPTED else error
    return tone(f"Run {event.end}{after(event.reason)}")


@describes(terminal_events.TerminalOpened)
def _describe_terminal(event: terminal_events.TerminalOpened) -> str:
    terminal = event.terminal
    port = f" for port {terminal.port}" if terminal.port else ""
    if terminal.service is not None:
        return f"Service {terminal.label} started{port}: {terminal.command}"
    return f"Terminal {_terminal_name(event)} started{port}: {terminal.command}"


describe(
    terminal_events.TerminalEnded,
    lambda event: f"{_kind_of(event)} {_terminal_name(event)} {describe_exit_of(event.terminal)}",
)


@describes(terminal_events.ServiceChecked)
def _describe_service(event: terminal_events.ServiceChecked) -> EventText:
    run = event.terminal.service
    if run is None or run.failure:
        return error(f"Service {event.terminal.label} failed{after(run.failure if run else '')}")
    state = "is healthy" if run.url else "runs"
    return success(f"Service {event.terminal.label} {state}{after(run.url)}")


def _kind_of(event: terminal_events.TerminalEnded) -> str:
    return "Terminal" if event.terminal.service is None else "Service"


def _terminal_name(event: terminal_events.TerminalOpened | terminal_events.TerminalEnded) -> str:
    terminal = event.terminal
    if terminal.service is not None:
        return terminal.label
    return f"{terminal.id} ({terminal.label})" if terminal.label else terminal.id


silence(terminal_events.TerminalWrote)
