"""A receipt from the events of a thread: what was run, decided and spent until its branch was published."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import singledispatchmethod
from typing import NamedTuple

from domain.conversations.events import TurnEnded
from domain.core.approvals import ApprovalRequest, Outcome, Subject
from domain.core.event import Event, EventBody
from domain.core.ids import TaskId, task_workflow_id, thread_of
from domain.evidence.costs import Costs
from domain.evidence.errors import NoReceiptError
from domain.evidence.receipt import (
    MAX_APPROVALS,
    MAX_STEPS,
    MAX_TEXT,
    ProvenAgent,
    ProvenApproval,
    ProvenPicture,
    ProvenPlan,
    ProvenStep,
    Receipt,
    Stage,
    Statement,
    statement_of,
)
from domain.tasks.events import GateDecided, GateOpened, TaskOpened, VerificationStepEnded
from domain.tasks.plan_events import TaskPlanAsked, TaskPlanDecided
from domain.threads.amending.events import AmendmentDecided, PlanAmended
from domain.threads.events import MergeStepEnded, PlanDecided, PlanProposed, ThreadOpened
from domain.threads.publishing.events import BranchPublished
from domain.threads.publishing.publication import PushedBranch
from domain.threads.publishing.stack_events import StackPlanned
from domain.verification.pictures import Picture
from domain.verification.steps import StepResult, VerificationStep

_MAX_TITLE = 200
_UNNAMED = "unknown"


class Found(NamedTuple):
    """What was found of a thread until one publication of its branch."""

    receipt: Receipt
    pushed: PushedBranch


class ReceiptGathering:
    """Gathers what a receipt says, event by event in journal order."""

    def __init__(self, thread: str) -> None:
        self._thread = thread
        self._title = ""
        self._plans: dict[int, ApprovalRequest] = {}
        self._plan: ProvenPlan | None = None
        self._requests: dict[str, ApprovalRequest] = {}
        self._opened: dict[str, TaskOpened] = {}
        self._steps: dict[tuple[str, Stage], dict[str, ProvenStep]] = {}
        self._attempt: dict[tuple[str, Stage], tuple[int, int, str]] = {}
        self._approvals: list[ProvenApproval] = []
        self._agents: dict[tuple[str, str], ProvenAgent] = {}
        self._costs = Costs()
        self._turns: set[tuple[str, int]] = set()
        self._found: Found | None = None
        self._is_stack = False

    def add(self, event: Event) -> None:
        """Take the next event; those of other threads are passed over."""
        if thread_of(event.stream) == self._thread:
            self._take(event.body, event)

    def statement(self) -> Statement:
        """Return the statement on what was published last.

        Raises:
            NoReceiptError: Nothing was, or the tree of what was is not known.
        """
        if self._found is None and self._is_stack:
            raise NoReceiptError(
                "there is no receipt: each task was published as a pull request, and a stack has none"
            )
        if self._found is None:
            raise NoReceiptError(
                "there is no receipt yet: a receipt is of a published branch; `treadle publish` it first"
            )
        receipt, pushed = self._found
        if not pushed.tree:
            raise NoReceiptError(
                "there is no receipt: the branch was published before there were receipts; `treadle publish` it again"
            )
        return statement_of(receipt, tree=pushed.tree, commit=pushed.commit)

    @singledispatchmethod
    def _take(self, body: EventBody, event: Event) -> None:
        """Take an event; most say nothing that a receipt does."""

    @_take.register
    def _open(self, body: ThreadOpened, event: Event) -> None:
        del event
        self._title = _cut(" ".join(body.goal.strip().partition("\n")[0].split()), _MAX_TITLE)

    @_take.register
    def _propose(self, body: PlanProposed, event: Event) -> None:
        del event
        self._plans[body.revision] = body.request
        self._requests[body.request.request_id] = body.request

    @_take.register
    def _decide_plan(self, body: PlanDecided, event: Event) -> None:
        self._decide(body.outcome, Subject.PLAN, event)
        if body.outcome.choice == "approve":
            self._plan = ProvenPlan(
                revision=body.revision,
                content_sha256=body.outcome.content_hash,
                approved_by=body.outcome.people,
                approved_at=_time(event.at),
            )

    @_take.register
    def _amend(self, body: PlanAmended, event: Event) -> None:
        del body, event
        if self._plan is not None:
            count = self._plan.amendments + 1
            self._plan = self._plan.model_copy(update={"amendments": count})

    @_take.register
    def _decide_amendment(self, body: AmendmentDecided, event: Event) -> None:
        self._decide(body.outcome, Subject.AMENDMENT, event)

    @_take.register
    def _ask(self, body: GateOpened | TaskPlanAsked, event: Event) -> None:
        del event
        self._requests[body.request.request_id] = body.request

    @_take.register
    def _decide_gate(self, body: GateDecided, event: Event) -> None:
        self._decide(body.outcome, Subject.GATE, event)

    @_take.register
    def _decide_task_plan(self, body: TaskPlanDecided, event: Event) -> None:
        self._decide(body.outcome, Subject.TASK_PLAN, event)

    def _decide(self, outcome: Outcome, subject: Subject, event: Event) -> None:
        asked = self._requests.get(outcome.request_id)
        people = outcome.people or ((outcome.by,) if outcome.by else ())
        self._approvals.append(
            ProvenApproval(
                subject=subject,
                task=_task_of(event),
                title=_cut(asked.title if asked else "", _MAX_TITLE),
                choice=outcome.choice,
                decider=outcome.decider,
                by=tuple(_cut(name, _MAX_TITLE) for name in people),
                content_sha256=outcome.content_hash,
                at=_time(event.at),
            )
        )

    @_take.register
    def _open_task(self, body: TaskOpened, event: Event) -> None:
        self._opened[event.stream] = body

    @_take.register
    def _end_step(self, body: VerificationStepEnded, event: Event) -> None:
        opened = self._opened.get(event.stream)
        run = opened.run if opened else 0
        self._keep(_proven(body.result, opened, event), (_task_of(event), Stage.TASK), body, run)

    @_take.register
    def _end_merge_step(self, body: MergeStepEnded, event: Event) -> None:
        opened = self._opened.get(task_workflow_id(thread_of(event.stream), body.task_id))
        made = _proven(body.result, opened, event).model_copy(
            update={"task": body.task_id, "stage": Stage.MERGE, "git_tree": body.tree}
        )
        self._keep(made, (body.task_id, Stage.MERGE), body, body.run)

    def _keep(
        self,
        step: ProvenStep,
        place: tuple[str, Stage],
        body: VerificationStepEnded | MergeStepEnded,
        run: int,
    ) -> None:
        """Keep a step of the newest attempt of the newest run, or of the newest tree of a merge."""
        is_merge = isinstance(body, MergeStepEnded)
        attempt = (run, 0, body.tree) if is_merge else (run, body.attempt, "")
        if self._attempt.get(place) != attempt:
            self._attempt[place], self._steps[place] = attempt, {}
        made = {"run": run, "attempt": attempt[1]}
        self._steps[place][step.step] = step.model_copy(update=made)

    @_take.register
    def _end_turn(self, body: TurnEnded, event: Event) -> None:
        result = body.result
        part = (result.turn_id, result.part)
        if part in self._turns:
            return  # a turn of a task is told in its session's stream as well
        self._turns.add(part)
        del event
        name = (_cut(result.agent or _UNNAMED, _MAX_TITLE), _cut(result.model or "", _MAX_TITLE))
        known = self._agents.get(name) or ProvenAgent(agent=name[0], model=name[1])
        usage = result.usage
        self._agents[name] = known.model_copy(
            update={
                "turns": known.turns + 1,
                "duration_ms": known.duration_ms + result.duration_ms,
                "input_tokens": known.input_tokens + (usage.input_tokens if usage else 0),
                "output_tokens": known.output_tokens + (usage.output_tokens if usage else 0),
            }
        )
        self._costs.add(result)

    @_take.register
    def _stack(self, body: StackPlanned, event: Event) -> None:
        del body, event
        self._is_stack = True

    @_take.register
    def _publish(self, body: BranchPublished, event: Event) -> None:
        pushed = body.pushed
        steps = [step for found in self._steps.values() for step in found.values()]
        shown, decided = steps[-MAX_STEPS:], self._approvals[-MAX_APPROVALS:]
        receipt = Receipt(
            thread=self._thread,
            title=self._title,
            project=f"{pushed.project.host}/{pushed.project.path}" if pushed.project else "",
            branch=pushed.branch,
            published_at=_time(event.at),
            plan=self._plan,
            is_tree_verified=is_verified(pushed.tree, steps),
            steps=tuple(shown),
            approvals=tuple(decided),
            agents=tuple(self._agents[name] for name in sorted(self._agents)),
            **self._costs.fields,
            left_out=len(steps) - len(shown) + len(self._approvals) - len(decided),
        )
        self._found = Found(receipt, pushed)


def is_verified(tree: str, steps: Iterable[ProvenStep]) -> bool:
    """Tell whether a step ran on exactly this tree, and all required ones that did passed."""
    on_it = [step for step in steps if tree and step.git_tree == tree]
    is_run = any(step.is_executed and step.is_passed for step in on_it)
    return is_run and all(step.is_passed for step in on_it if step.is_required)


def _proven(result: StepResult, opened: TaskOpened | None, event: Event) -> ProvenStep:
    asked = _asked(result.step_id, opened)
    output = result.output_ref or hashlib.sha256(result.output.encode(errors="replace")).hexdigest()
    return ProvenStep(
        task=_task_of(event),
        run=0,
        stage=Stage.TASK,
        step=_cut(result.step_id, _MAX_TITLE),
        label=_cut(result.label, _MAX_TITLE),
        type=asked.type if asked else "",
        command=_cut(asked.subject, MAX_TEXT) if asked else "",
        git_tree=result.tree,
        is_required=result.is_required,
        is_executed=result.is_executed,
        is_passed=result.passed,
        exit_code=result.exit_code,
        duration_ms=result.duration_ms,
        output_sha256=output,
        reviewed_by=_cut(result.reviewed_by, _MAX_TITLE),
        ended_at=_time(event.at),
        pictures=tuple(map(_pictured, result.pictures)),
    )


def _pictured(picture: Picture) -> ProvenPicture:
    return ProvenPicture(
        name=_cut(picture.name, MAX_TEXT),
        media_type=picture.mime_type,
        size_bytes=picture.size_bytes,
        sha256=picture.sha256,
    )


def _asked(step_id: str, opened: TaskOpened | None) -> VerificationStep | None:
    steps = opened.task.verification if opened else ()
    return next((step for step in steps if step.id == step_id), None)


def _task_of(event: Event) -> TaskId:
    return TaskId(event.stream.partition("/")[2].partition("/")[0])


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut(text: str, limit: int) -> str:
    clean = text.encode(errors="replace").decode()
    return clean if len(clean) <= limit else f"{clean[: limit - 1]}…"
