"""The invariants of one run of a task, checked event by event against what it was really given."""

from domain.conversations.events import MessageQueued, TurnEnded, TurnStarted
from domain.core.approvals import Choice, content_hash
from domain.core.event import EventBody
from domain.plans.plan import PlannedTask
from domain.tasks import events as task_events
from domain.tasks.outcomes import POLICY, GateContent
from domain.tasks.resources import RESOURCES
from tests.domain.paper import PaperRun


def paper_run(opened: task_events.TaskOpened) -> PaperRun:
    task: PlannedTask = opened.task
    return PaperRun(
        steps=[(s.id, s.required, s.continue_on_fail) for s in task.verification],
        ports=[port.id for port in task.ports],
        retries=opened.max_retries,
        is_automatic=opened.is_gate_automatic,
    )


def watch(paper: PaperRun, run: tuple[str, int], events: tuple[EventBody, ...]) -> None:
    """Check that each event is one that this run may have now."""
    for event in events:
        # the turn of a task that was aborted is counted when it has stopped
        is_late_turn = isinstance(event, TurnEnded) and paper.is_turning
        assert not paper.is_ended or is_late_turn, f"{event!r} after the end"
        match event:
            case TurnStarted():
                _turn_started(paper, event)
            case task_events.ReportReceived(is_blocked=is_blocked):
                assert paper.is_turning
                paper.is_reported = not is_blocked
            case TurnEnded(result=result):
                assert paper.is_turning
                paper.is_turning = False
                paper.tree = result.snapshot.tree if result.snapshot else paper.tree
            case MessageQueued(message_id=message_id):
                assert message_id not in paper.unread
                paper.unread.append(message_id)
            case task_events.PortLeased(port_id=port_id):
                paper.granted.add(port_id)
            case task_events.TaskEnded():
                _ended(paper, event)
            case _:
                _verified(paper, run, event)


def _turn_started(paper: PaperRun, event: TurnStarted) -> None:
    assert not paper.is_turning, "two turns at once"
    assert paper.shown is None, "a turn under an open gate"
    assert event.number == paper.turns + 1
    paper.turns, paper.is_turning, paper.is_reported = event.number, True, False
    paper.verified = None
    if event.prompt_name == "message":
        assert paper.unread, "an empty message"
        paper.unread.clear()


def _ended(paper: PaperRun, event: task_events.TaskEnded) -> None:
    paper.is_ended, paper.shown = True, None
    if event.end is task_events.TaskEnd.ACCEPTED:
        assert paper.outcomes, "accepted without a decision"
        assert list(paper.outcomes.values())[-1][0] == "approve"
        assert paper.verified == paper.tree, "accepted without verification"
        assert not paper.unread or not paper.is_automatic, "accepted over an unread message"


def _verified(paper: PaperRun, run: tuple[str, int], event: EventBody) -> None:
    match event:
        case task_events.VerificationStarted(tree=tree):
            assert paper.is_reported, "verification without report_done"
            assert not paper.is_turning
            assert tree == paper.tree
            paper.results = {}
        case task_events.VerificationStepEnded(result=result):
            if result.step_id == RESOURCES:
                assert result.passed == paper.granted.issuperset(paper.ports)
            else:
                assert result.step_id == paper.next_step(), "a step out of order"
                paper.results[result.step_id] = result.passed
        case task_events.VerificationEnded(passed=passed):
            assert passed == paper.verdict()
            paper.verified = paper.tree if passed else None
            paper.failures = 0 if passed else paper.failures + 1
            assert paper.failures <= paper.retries + 1, "more attempts than allowed"
        case task_events.GateOpened():
            _gate_opened(paper, run, event)
        case task_events.GateDecided(outcome=outcome):
            assert paper.shown == (outcome.request_id, outcome.content_hash)
            assert outcome.request_id not in paper.outcomes, "decided twice"
            assert (outcome.by == POLICY) == paper.is_automatic
            paper.outcomes[outcome.request_id] = (outcome.choice, outcome.content_hash)
            paper.shown = None
            if outcome.choice is Choice.REJECT:
                paper.failures = 0
        case _:
            pass


def _gate_opened(paper: PaperRun, run: tuple[str, int], event: task_events.GateOpened) -> None:
    assert paper.verified is not None, "a gate without verification"
    assert event.snapshot is not None
    assert event.snapshot.tree == paper.verified == paper.tree, "a gate of another tree"
    content = GateContent(
        task_id=run[0],
        run=run[1],
        attempt=int(event.request.request_id.rsplit("-", 1)[1]),
        base=event.snapshot.base,
        commit=event.snapshot.commit,
        tree=event.snapshot.tree,
    )
    assert event.request.content_hash == content_hash(content)
    paper.shown = (event.request.request_id, event.request.content_hash)
