"""What a thread owes to its person: nothing decided that they did not say, nothing forgotten that they did."""

from collections import Counter
from collections.abc import Iterator

from domain.core.approvals import Outcome
from domain.tasks import events as task_events
from domain.tasks.outcomes import POLICY
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads.running import decision_events
from tests.chaos.evidence import Thread
from tests.chaos.person import Sent

RACES = {"abort": 409, "plan": 409}
"""What may be refused: a task may have ended before its abort, a plan come before it is asked for."""


def is_decided_by_the_person(thread: Thread) -> Iterator[str]:
    """No outcome that was not sent before, for this request, choice and content."""
    said = {(s.kind, s.target, s.content_hash): s.at for s in thread.sent}
    for journaled in thread.events:
        outcome = _outcome(journaled.event.body)
        if outcome is None:
            continue
        name = outcome.request_id.partition("/")[0]
        if outcome.by == POLICY:
            if "/" not in outcome.request_id or thread.job.work(name).gate != "auto":
                yield f"{outcome.request_id} was decided by policy, it asks a person"
            continue
        at = said.get((outcome.choice, outcome.request_id, outcome.content_hash))
        if at is None:
            yield f"{outcome.request_id}: nobody said {outcome.choice} to this content"
        elif journaled.event.at < at:
            yield f"{outcome.request_id} was decided at {journaled.event.at}, said only at {at}"


def is_merged_after_the_approval(thread: Thread) -> Iterator[str]:
    """No merge of work that asks a person is older than their approval, by git's own clock."""
    for work in thread.job.tasks:
        if work.gate == "auto":
            continue
        prefix = f"{work.name}/gate-"
        yes = [s.at for s in thread.sent if s.kind == "approve" and s.target.startswith(prefix)]
        for merge in thread.repository.merges:
            is_its = f"/{work.name}/" in f"/{merge.key}/"
            # git keeps whole seconds
            if is_its and not any(at.timestamp() - 1 < merge.at.timestamp() for at in yes):
                yield f"{work.name} was merged at {merge.at} before its approval"


def is_answered_well(thread: Thread) -> Iterator[str]:
    """Every command is answered in the end, and taken: sent again with its id, it is the same."""
    for sent in thread.sent:
        if sent.status >= 300 and sent.status != RACES.get(sent.kind):
            yield f"{sent.kind} {sent.target} was answered {sent.status}: {sent.answer}"
        if sent.status == 0:
            yield f"{sent.kind} {sent.target} got no answer"


def is_remembered(thread: Thread) -> Iterator[str]:
    """What was acknowledged is in the journal, as often as it was said and no more."""
    effects: Counter[tuple[str, str]] = Counter(
        effect for journaled in thread.events if (effect := _effect(journaled.event.body))
    )
    said = Counter((s.kind, s.target) for s in thread.sent if _is_counted(s))
    for kind, target in said.keys() | effects.keys():
        there, sent = effects[kind, target], said[kind, target]
        if there != sent:
            yield f"{kind} {target}: acknowledged {sent} times, {there} times in the journal"


def _is_counted(sent: Sent) -> bool:
    return sent.kind in {"approve", "reject", "decide", "retry"} and 200 <= sent.status < 300


def _effect(body: object) -> tuple[str, str] | None:
    match body:
        case decision_events.DecisionMade(decision_id=decision):
            return "decide", decision
        case thread_events.TaskUpdated(task_id=task, new_status=status, notes="retried"):
            return ("retry", task) if status is TaskStatus.PENDING else None
        case _:
            outcome = _outcome(body)
            is_person = outcome is not None and outcome.by != POLICY
            return (outcome.choice, outcome.request_id) if outcome and is_person else None


def _outcome(body: object) -> Outcome | None:
    is_outcome = isinstance(body, thread_events.PlanDecided | task_events.GateDecided)
    return body.outcome if is_outcome else None
