"""Rules of publishing each task as a pull request of its own, on top of the one before it (ADR 0082)."""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.core.ids import WORK, TaskId
from domain.forges.policy import PublishAs
from domain.forges.pull_requests import PullRequest, PullRequestDraft
from domain.forges.stacks import (
    MAX_LAYERS,
    Layer,
    StackTask,
    StepKind,
    begun,
    facing,
    next_step,
    replayed,
)
from domain.threads.bases.rules import base_name, due_of_push
from domain.threads.effects import ThreadEffect
from domain.threads.publishing.events import PublishFailed
from domain.threads.publishing.publication import Publication, PublishStage
from domain.threads.publishing.stack_effects import EndLayer, EndStackPlan, MoveLayer, PlanStack
from domain.threads.publishing.stack_events import (
    LayerNoted,
    LayerPublished,
    LayerRemoved,
    LayerReplayed,
    LayerStopped,
    StackPlanned,
)
from domain.threads.publishing.stack_text import about_task, digest_of, layer_text
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

_MOST_REASON = 500
_FEWEST = 2


def is_stacked(state: ThreadState, chosen: PublishAs | None) -> bool:
    """Tell whether publishing now means one pull request for each task.

    What was begun as a stack stays one, and what was published as one pull request stays that until it has ended.
    """
    if state.publication.stack:
        return True
    wanted = chosen or state.git.publish
    return wanted is PublishAs.TASKS and _may_begin(state)


def offered(state: ThreadState) -> PublishAs | None:
    """Return what is one pull request by default, where a person may choose; None where only one way is possible."""
    if state.publication.stack or not _may_begin(state) or why_not(state):
        return None
    return state.git.publish


def _may_begin(state: ThreadState) -> bool:
    """Tell whether there are tasks for a stack, and no pull request of the whole thread that has not ended."""
    found, ended = state.publication.pull_request, state.publication.finished
    if found is not None and (ended is None or ended.number != found.number):
        return False
    return len(merged_tasks(state)) >= _FEWEST


def merged_tasks(state: ThreadState) -> dict[str, str]:
    """Return the commit that brought each merged task into the thread's branch; a plan's own work is none."""
    return {
        task_id: entry.merge_commit
        for task_id, entry in state.tasks.items()
        if entry.merge_commit and task_id != WORK
    }


def why_not(state: ThreadState) -> str:
    """Return why a stack cannot be made; empty where it can."""
    opened = state.opened
    if opened is not None and opened.others:
        return "a thread with several repositories has no stack: publish it as `thread`"
    if len(merged_tasks(state)) + len(state.publication.stack) > MAX_LAYERS:
        return f"a stack has at most {MAX_LAYERS} pull requests: publish it as `thread`"
    if not base_name(state):
        return "there is no branch to merge it into: give the template a prTarget"
    return ""


@THREAD_RULES.requires
def plan_stack(state: ThreadState) -> Iterable[ThreadEffect]:
    publication = state.publication
    is_pushing = publication.is_by_task and publication.stage is PublishStage.PUSHING
    if is_pushing and not due_of_push(state):
        yield PlanStack(number=publication.number, tasks=merged_tasks(state))


@THREAD_RULES.handles
def end_stack_plan(command: EndStackPlan, state: ThreadState) -> Decided:
    publication, pushed = state.publication, command.pushed
    if publication.stage is not PublishStage.PUSHING or publication.number != command.number:
        return Decided()
    failure = command.failure or why_not(state)
    if command.missing and not failure:
        failure = (
            f"{', '.join(command.missing)} cannot be found in the branch any more, which was rebased or rewritten: "
            "publish it as `thread`"
        )
    if pushed is None or failure:
        return Decided((PublishFailed(step="push", reason=failure[:_MOST_REASON]),))
    if pushed.project is None:
        words = "the remote is on no forge that Treadle knows: publish it as `thread`"
        return Decided((PublishFailed(step="push", reason=words),))
    commits = merged_tasks(state)
    tasks = [_task(each, commits[each], state) for each in command.tasks if each in commits]
    base = publication.stack_base or base_name(state)
    layers = begun(publication.stack, tasks, pushed.commit, pushed.branch, base)
    return Decided((StackPlanned(pushed=pushed, base=base, layers=layers),))


def _task(task_id: str, commit: str, state: ThreadState) -> StackTask:
    entry = state.tasks[TaskId(task_id)]
    return StackTask(
        task_id=task_id, title=entry.task.title, commit=commit, about=about_task(entry)
    )


@THREAD_RULES.requires
def move_layers(state: ThreadState) -> Iterable[ThreadEffect]:
    """Require the next step of the stack, one at a time."""
    publication = state.publication
    pushed, stack = publication.pushed, publication.stack
    if not stack or pushed is None or pushed.project is None:
        return
    if publication.stage is PublishStage.PUSHING or state.lifecycle.is_deletion_requested:
        return
    base = publication.stack_base
    texts = {layer.task_id: layer_text(layer, stack, base) for layer in stack}
    digests = {task: digest_of(*text) for task, text in texts.items()}
    step = next_step(stack, base, digests, deletes=state.git.delete_branch)
    if step is None:
        return
    layer = _layer(step.task_id, state)
    title, body = texts[step.task_id]
    draft = PullRequestDraft(
        project=pushed.project, head=layer.branch, base=step.target, title=title, body=body
    )
    told = digests[step.task_id] if step.kind is StepKind.PUBLISH else layer.news
    yield MoveLayer(number=publication.number, step=step, draft=draft, told=told)


def _layer(task_id: str, state: ThreadState) -> Layer:
    return next(each for each in state.publication.stack if each.task_id == task_id)


@THREAD_RULES.handles
def end_layer(command: EndLayer, state: ThreadState) -> Decided:
    step = command.step
    layer = next((e for e in state.publication.stack if e.task_id == step.task_id), None)
    if layer is None:
        return Decided()
    if step.kind is StepKind.NOTE:
        return Decided((LayerNoted(task_id=step.task_id, news=command.news),))
    if step.kind is StepKind.REMOVE:
        reason = command.failure[:_MOST_REASON]
        return Decided((LayerRemoved(task_id=step.task_id, branch=layer.branch, failure=reason),))
    if not layer.is_open:
        return Decided()  # it was merged or closed meanwhile
    if command.failure:
        return Decided(tuple(_stopped(layer, command.failure[:_MOST_REASON])))
    if step.kind is StepKind.REPLAY:
        after = replayed(layer, step, command.commit, command.begins_at)
        return Decided((LayerReplayed(layer=after),))
    published = LayerPublished(
        task_id=step.task_id,
        commit=step.commit,
        against=step.target,
        told=command.told,
        number=command.pull_request,
        url=command.url,
    )
    return Decided((published,))


def _stopped(layer: Layer, reason: str) -> Iterable[EventBody]:
    yield LayerStopped(task_id=layer.task_id, reason=reason)
    if not layer.number:
        yield PublishFailed(step="pull_request", reason=f"{layer.branch}: {reason}"[:_MOST_REASON])


@THREAD_RULES.evolves
def apply_planned(event: StackPlanned, state: ThreadState) -> ThreadState:
    changes = {"pushed": event.pushed, "stack_base": event.base, "stage": PublishStage.OPENING}
    return with_stack(state, event.layers, **changes)


@THREAD_RULES.evolves
def apply_replayed(event: LayerReplayed, state: ThreadState) -> ThreadState:
    changes = {name: value for name, value in event.layer if name != "task_id"}
    return _with_layer(state, event.layer.task_id, **changes)


@THREAD_RULES.evolves
def apply_published(event: LayerPublished, state: ThreadState) -> ThreadState:
    changes = event.model_dump(include={"against", "told", "number", "url"})
    return _with_layer(state, event.task_id, pushed=event.commit, **changes)


@THREAD_RULES.evolves
def apply_stopped(event: LayerStopped, state: ThreadState) -> ThreadState:
    return _with_layer(state, event.task_id, trouble=event.reason)


@THREAD_RULES.evolves
def apply_noted(event: LayerNoted, state: ThreadState) -> ThreadState:
    return _with_layer(state, event.task_id, noted=event.news)


@THREAD_RULES.evolves
def apply_removed(event: LayerRemoved, state: ThreadState) -> ThreadState:
    return _with_layer(state, event.task_id, is_removed=True)


def _with_layer(state: ThreadState, task_id: str, **changes: object) -> ThreadState:
    stack = tuple(
        each.model_copy(update=changes) if each.task_id == task_id else each
        for each in state.publication.stack
    )
    return with_stack(state, stack)


def with_stack(state: ThreadState, stack: tuple[Layer, ...], **changes: object) -> ThreadState:
    """Return the thread with a stack; its pull request is the one that people deal with next."""
    publication = state.publication.model_copy(update={"stack": stack, **changes})
    after = publication.model_copy(update=_facing(publication))
    return state.model_copy(update={"publication": after})


def _facing(publication: Publication) -> dict[str, object]:
    layer, changes = facing(publication.stack), dict[str, object]()
    if layer is not None:
        changes["pull_request"] = PullRequest(number=layer.number, url=layer.url)
        changes["watched"] = layer.number if layer.noted else publication.watched
    is_opening = publication.stage is PublishStage.OPENING
    if is_opening and all(each.number or not each.is_open for each in publication.stack):
        changes["stage"] = PublishStage.PUBLISHED
    return changes
