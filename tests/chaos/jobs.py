"""What the agents of a chaos run do: three kinds of jobs, as plans and scenarios that write a log.

Every command of an agent and every verification step writes down its start, its ticks and its end
in a file outside of the repository. What ran, when, where and for which process is known by that.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from adapters.processes.run_ledger import MARKER

COLOUR = {
    "id": "colour",
    "header": "Colour",
    "question": "Which one?",
    "options": [{"label": "red"}, {"label": "blue"}],
}
PORTS = [{"id": "web", "description": "where its server listens"}]
PLANNING = ["planner", "planner-feedback", "plan-missing"]
TICKS = 4
TICK_SECONDS = 0.2


@dataclass(frozen=True)
class Work:
    """One task of a job. `faults` is how often its verification fails by itself in every run."""

    name: str
    needs: tuple[str, ...] = ()
    gate: str = "auto"
    faults: int = 0
    is_rejected: bool = False
    is_aborted: bool = False
    has_port: bool = False
    is_decided: bool = False

    @property
    def text(self) -> str:
        """What its file holds at the end."""
        return f"{self.name}, as you wish\n" if self.is_rejected else f"{self.name}\n"


@dataclass(frozen=True)
class Job:
    """What a thread is asked for: its tasks and the decisions that they wait for."""

    name: str
    tasks: tuple[Work, ...]
    decisions: tuple[dict[str, Any], ...] = field(default=())

    def work(self, name: str) -> Work:
        """Return one task."""
        return next(task for task in self.tasks if task.name == name)


JOBS = (
    Job(
        "pair",
        (
            Work("left", gate="ask", has_port=True),
            Work("right", faults=1),
            Work("both", needs=("left", "right")),
        ),
    ),
    Job(
        "choice",
        (Work("pick", gate="ask", is_rejected=True, is_decided=True), Work("rest", ("pick",))),
        (COLOUR,),
    ),
    Job("again", (Work("slow", gate="ask", is_aborted=True), Work("side", has_port=True))),
)


class Line(NamedTuple):
    """One line of the log: `start`, `tick` or `end` of a step, in a worktree, by a process tree."""

    what: str
    step: str
    at: datetime
    workspace: str
    run: str


class Log:
    """Where the commands of one thread write down that they run."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "log"
        self.aborted = folder / "aborted"
        """Made once an abort was answered: from then on no agent waits for it."""

    def step(self, name: str, command: str = "true", *, ticks: int = 0) -> str:
        """Return the shell words that run a command between its start and its end in the log."""
        rest = f'"$(date +%s.%N)" "$PWD" "${{{MARKER}:-none}}" >> {self._file}'
        tick = f"sleep {TICK_SECONDS}; echo tick {name} {rest}; "
        return f"echo start {name} {rest}; {tick * ticks}{command}; c=$?; echo end {name} {rest}; exit $c"

    def lines(self) -> list[Line]:
        """Return what ran, in the order in which it was written."""
        if not self._file.exists():
            return []
        words = (line.split() for line in self._file.read_text().splitlines())
        return [
            Line(what, step, datetime.fromtimestamp(float(at), UTC), workspace, run)
            for what, step, at, workspace, run in words
        ]


def plan(job: Job, log: Log) -> dict[str, Any]:
    """Return the plan that a job's planner proposes."""
    tasks: list[dict[str, Any]] = []
    for work in job.tasks:
        check = log.step(f"{work.name}.verify", f"grep -q {work.name} {work.name}.txt", ticks=1)
        steps = [{"type": "command", "label": f"{work.name} is right", "command": check}]
        task = {"id": work.name, "title": f"Write {work.name}", "gate": work.gate}
        task |= {"dependsOn": list(work.needs), "verification": steps}
        task |= {"ports": PORTS} if work.has_port else {}
        task |= {"decision_id": COLOUR["id"]} if work.is_decided else {}
        tasks.append(task)
    return {
        "goal": f"Do {job.name}",
        "summary": job.name,
        "tasks": tasks,
        "decisions": list(job.decisions),
    }


def scenario(job: Job, log: Log) -> dict[str, Any]:
    """Return what a job's agents do."""
    rules: list[dict[str, Any]] = [
        {
            "when": {"prompt": PLANNING},
            "steps": [{"call": "propose_plan", "with": {"plan": plan(job, log)}}],
        },
        {"when": {"prompt": "report-missing"}, "steps": [_report("It is done, as I said.")]},
    ]
    for work in job.tasks:
        wrong = work.name[::-1] + "\n"
        rules.append(_turn(work, log, "task", wrong if work.faults else f"{work.name}\n"))
        if work.faults:
            rules.append(_turn(work, log, "verification-failed", work.text))
        if work.is_rejected:
            rules.append(_turn(work, log, "gate-rejected", work.text))
    return {"name": job.name, "rules": rules}


def _turn(work: Work, log: Log, prompt: str, text: str) -> dict[str, Any]:
    """Return the rule of one turn; its commands are numbered, so that their order can be checked."""
    turn = f"{work.name}.{prompt}"
    steps: list[dict[str, Any]] = [{"say": f"I do {turn}."}]
    if work.is_aborted:
        steps.append({"wait": {"file": str(log.aborted)}})
    steps += [
        {"run": log.step(f"{turn}.1")},
        *([{"call": "request_port", "with": {"port_id": "web"}}] if work.has_port else []),
        {"run": log.step(f"{turn}.2", ticks=TICKS)},
        {"write": f"{work.name}.txt", "text": text},
        {"run": log.step(f"{turn}.3")},
        _report(f"{turn} is done"),
    ]
    return {"when": {"task": work.name, "prompt": prompt}, "steps": steps}


def _report(summary: str) -> dict[str, Any]:
    return {"call": "report_done", "with": {"summary": summary}}
