"""How the events of child threads change a thread."""

from domain.core.approvals import ApprovalRequest, Subject
from domain.plans.status import PlanStatus
from domain.threads.children import events as happened
from domain.threads.children.state import ChildThread
from domain.threads.evolution import evolves
from domain.threads.state import ThreadState


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"family": state.family.model_copy(update=changes)})


@evolves
def _apply_child_opened(event: happened.ChildOpened, state: ThreadState) -> ThreadState:
    child = ChildThread(thread_id=event.thread_id, task_id=event.task_id, run=event.run)
    return _with(state, children={**state.family.children, event.thread_id: child})


@evolves
def _apply_child_reported(event: happened.ChildReported, state: ThreadState) -> ThreadState:
    report = event.report.model_copy(update={"learnings": ()})
    child = state.family.children[report.thread_id].model_copy(update={"report": report})
    return _with(state, children={**state.family.children, report.thread_id: child})


@evolves
def _apply_parent_told(event: happened.ParentTold, state: ThreadState) -> ThreadState:
    return _with(state, told=event.report, numbered=event.report.number)


@evolves
def _apply_parent_asked(event: happened.ParentAsked, state: ThreadState) -> ThreadState:
    del event
    return _with(state, told=None)


@evolves
def _apply_child_stopped(event: happened.ChildStopped, state: ThreadState) -> ThreadState:
    del event
    kept: dict[str, ApprovalRequest] = {
        name: r for name, r in state.requests.items() if r.subject is not Subject.PLAN
    }
    changes = {"requests": kept, "plan_status": PlanStatus.CANCELLED}
    return _with(state, is_stopped=True).model_copy(update=changes)
