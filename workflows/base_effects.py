"""How a thread has its base fetched and taken in."""

from temporalio.exceptions import ActivityError

from activities.bases import BaseUpdates
from domain.core.ids import StreamId, host_queue
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.plans.templates.template import BaseUpdate
from domain.tasks.conflicts import base_subject
from domain.tasks.status import TaskStatus
from domain.threads.bases.calls import BaseCall
from domain.threads.bases.effects import EndBase, TakeBase
from domain.threads.bases.rules import base_name, method_of
from domain.threads.sessions import opened_of
from domain.threads.state import ThreadState
from domain.verification.steps import VerificationStep, without_reviews
from workflows import options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


def _steps(state: ThreadState) -> tuple[tuple[VerificationStep, ...], tuple[str, ...]]:
    """Return what the tasks that are in the branch were verified by, each once, and the ports that it needs."""
    found: dict[tuple[str, str], VerificationStep] = {}
    ports: dict[str, None] = {}
    for task_id in state.tasks.of_status(TaskStatus.COMPLETED):
        task = state.tasks[task_id].task
        for step in without_reviews(task.verification):
            named = step.model_copy(update={"id": f"{task_id}-{step.id}"})
            found.setdefault((step.type, step.subject), named)
        ports |= dict.fromkeys(port.id for port in task.ports)
    return tuple(found.values()), tuple(ports)


def _workspace(thread: ThreadLoop) -> WorkspaceSpec:
    """Return where what a base gives is verified."""
    state, opened = thread.state, opened_of(thread.state)
    return WorkspaceSpec(
        workspace_id=base_subject(thread.input.thread_id),
        kind=WorkspaceKind.CHAT,
        repository=opened.facts.root,
        thread_id=thread.input.thread_id,
        base=opened.branch,
        hosts=opened.template.resources.hosts,
        recipe=state.set_up.used,
        name=opened.name,
        beside=opened.others,
    )


@carries
async def _take(effect: TakeBase, thread: ThreadLoop) -> None:
    """Take the base in; what keeps it from being looked at is told, and nothing waits for it."""
    state, opened = thread.state, opened_of(thread.state)
    steps, ports = _steps(state)
    is_asked = effect.due.startswith("asked")
    call = BaseCall(
        key=f"{thread.input.thread_id}/base",
        thread_id=thread.input.thread_id,
        repository=opened.facts.root,
        branch=opened.branch,
        base=base_name(state),
        remote=state.publication.remote,
        known=opened.facts.remotes,
        previous=state.base.commit,
        due=effect.due,
        update=BaseUpdate.OFF if opened.others else method_of(effect.due, state),
        is_asked=is_asked,
        is_tip_unverified=state.base.is_tip_unverified,
        workspace=_workspace(thread),
        stream=StreamId(thread.input.thread_id),
        steps=steps,
        port_ids=ports,
        recipe=opened.template.verification.recipe,
    )
    where = options.on(host_queue(opened.host), options.SETTLE)
    try:
        answer = await thread.run_activity(BaseUpdates.take_base, call, where)
    except ActivityError as error:
        thread.submit(EndBase(due=effect.due, failure=words_of(error)))
        return
    thread.submit(EndBase(due=effect.due, answer=answer))
