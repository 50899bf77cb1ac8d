"""How the events of child threads change a thread."""

from domain.core.approvals import ApprovalRequest, Subject
from domain.plans.status import PlanStatus
from domain.threads.children import events as child_events
from domain.threads.children.state import ChildThread
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"family": state.family.model_copy(update=changes)})


@THREAD_RULES.evolves
def apply_child_opened(event: child_events.ChildOpened, state: ThreadState) -> ThreadState:
    child = ChildThread(thread_id=event.thread_id, task_id=event.task_id, run=event.run)
    return _with(state, children={**state.family.children, event.thread_id: child})


@THREAD_RULES.evolves
def apply_child_reported(event: child_events.ChildReported, state: ThreadState) -> ThreadState:
    report = event.report.model_copy(update={"learnings": ()})
    child = state.family.children[report.thread_id].model_copy(update={"report": report})
    return _with(state, children={**state.family.children, report.thread_id: child})


@THREAD_RULES.evolves
def apply_parent_notified(event: child_events.ParentNotified, state: ThreadState) -> ThreadState:
    return _with(state, reported=event.report, numbered=event.report.number)


@THREAD_RULES.evolves(child_events.ParentAsked)
def apply_parent_asked(state: ThreadState) -> ThreadState:
    return _with(state, reported=None)


@THREAD_RULES.evolves(child_events.ChildStopped)
def apply_child_stopped(state: ThreadState) -> ThreadState:
    kept: dict[str, ApprovalRequest] = {
        name: r for name, r in state.requests.items() if r.subject is not Subject.PLAN
    }
    changes = {"requests": kept, "plan_status": PlanStatus.CANCELLED}
    return _with(state, is_stopped=True).model_copy(update=changes)
