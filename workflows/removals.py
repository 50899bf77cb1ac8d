"""What is removed with a thread or a run of a flow: all that it holds on its host."""

from collections.abc import Collection, Iterator

from domain.agents.agents import Prompt
from domain.core.ids import SessionId, ThreadId, publication_id, task_workflow_id
from domain.core.workspaces import WorkspaceSpec
from domain.flows.inputs import directory_of
from domain.flows.state import FlowState
from domain.threads.contests.composing import composition_of
from domain.threads.inputs import ThreadInput
from domain.threads.lifecycle.calls import RemovalCall
from domain.threads.state import ThreadState
from workflows.children import session_input, task_input


def removal_of_thread(
    thread: ThreadInput, state: ThreadState, started: Collection[str], *, is_forced: bool
) -> RemovalCall:
    """Return the removal of a thread; its sessions that were `started` have workflows to wait for.

    Raises:
        RuntimeError: It never opened, so it holds nothing.
    """
    if state.opened is None:
        raise RuntimeError("the thread is not open")
    name, finished = thread.thread_id, state.publication.finished
    return RemovalCall(
        thread_id=name,
        repository=state.opened.facts.root,
        branch=state.opened.branch,
        stems=state.stems,
        merged_as=finished.merge_commit if finished and finished.is_merged else "",
        workspaces=tuple(_workspaces(thread, state)),
        beside=state.opened.others,
        sessions=tuple(state.sessions),
        workflows=(
            *(s for s in state.sessions if s in started),
            *(task_workflow_id(name, task_id) for task_id in state.runs),
            *watches_of(name, state),
        ),
        is_forced=is_forced,
    )


def watches_of(name: ThreadId, state: ThreadState) -> tuple[str, ...]:
    """Return the workflows that watch a thread's pull request, or those of its stack."""
    publication = state.publication
    stacked = (layer.number for layer in publication.stack if layer.noted)
    numbers = dict.fromkeys((publication.watched, *stacked))
    return tuple(publication_id(name, number) for number in numbers if number)


def removal_of_ended(state: ThreadState, *, is_forced: bool) -> RemovalCall:
    """Return the removal of a thread that has no workflow any more, by what the journal knows of it.

    Raises:
        RuntimeError: It never opened, so it holds nothing.
    """
    if state.opened is None:
        raise RuntimeError("the thread is not open")
    thread = ThreadInput(
        thread_id=state.thread_id,
        goal=state.goal,
        repository=state.opened.facts.root,
        agent=state.opened.agent,
    )
    return removal_of_thread(thread, state, state.sessions, is_forced=is_forced)


def _workspaces(thread: ThreadInput, state: ThreadState) -> Iterator[WorkspaceSpec]:
    for session_id in state.sessions:
        yield session_input(thread, state, session_id, "", Prompt()).workspace
    for task_id, entry in state.tasks.everything.items():
        composed = composition_of(task_id, state)
        for run in sorted({entry.run, composed.run if composed else 0} - {0}):
            yield task_input(thread, state, task_id, run).workspace


def removal_of_run(
    state: FlowState, sessions: tuple[SessionId, ...], *, is_forced: bool
) -> RemovalCall:
    """Return the removal of a run of a flow; what is another run's goes with that one."""
    return RemovalCall(
        thread_id=ThreadId(state.run_id),
        repository=state.repository,
        branch="" if state.parent else state.branch,
        workspaces=() if state.parent else (directory_of(state),),
        sessions=sessions,
        workflows=sessions,
        is_forced=is_forced,
    )
