"""How a thread carries out the steps of its stack of pull requests."""

from temporalio.exceptions import ActivityError
from temporalio.workflow import ActivityConfig

from activities.stacking import Stacking
from activities.watching import Watching
from domain.core.ids import host_queue, publication_id
from domain.forges.pull_requests import PullRequestId
from domain.forges.stacks import Layer, StepKind
from domain.publications.calls import DeleteBranchCall
from domain.publications.commands import NotePush, NoteStack
from domain.threads.publishing.stack_calls import LayerCall, ReplayCall, StackCall
from domain.threads.publishing.stack_effects import EndLayer, EndStackPlan, MoveLayer, PlanStack
from domain.threads.sessions import opened_of
from workflows import options
from workflows.failures import words_of
from workflows.publishing_effects import note_push, push_of
from workflows.signalling import reaches
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _plan(effect: PlanStack, thread: ThreadLoop) -> None:
    push = push_of(thread, thread.state.publication.commit)
    call = StackCall(**dict(push), tasks=effect.tasks)
    try:
        found = await thread.run_activity(Stacking.find_stack, call, _where(thread))
    except ActivityError as error:
        thread.submit(EndStackPlan(number=effect.number, failure=words_of(error)))
        return
    thread.submit(EndStackPlan(number=effect.number, **dict(found)))


@carries
async def _move(effect: MoveLayer, thread: ThreadLoop) -> None:
    """Take one step; what an activity fails with is told as the reason."""
    layers = {each.task_id: each for each in thread.state.publication.stack}
    layer = layers[effect.step.task_id]
    try:
        match effect.step.kind:
            case StepKind.REPLAY:
                done = await _replay(effect, layer, thread)
            case StepKind.PUBLISH:
                done = await _publish(effect, layer, thread)
            case StepKind.NOTE:
                done = await _note(effect, layer, thread)
            case StepKind.REMOVE:
                done = await _remove(effect, layer, thread)
    except ActivityError as error:
        done = EndLayer(step=effect.step, failure=words_of(error))
    thread.submit(done)


def _where(thread: ThreadLoop) -> ActivityConfig:
    return options.on(host_queue(opened_of(thread.state).host), options.PUBLISH)


async def _replay(effect: MoveLayer, layer: Layer, thread: ThreadLoop) -> EndLayer:
    opened, publication, step = opened_of(thread.state), thread.state.publication, effect.step
    call = ReplayCall(
        thread_id=thread.input.thread_id,
        repository=opened.facts.root,
        branch=opened.branch,
        base=publication.stack_base,
        remote=publication.remote,
        address=publication.address,
        known=opened.facts.remotes,
        since=step.since,
        commit=step.commit,
        onto=step.onto_commit,
        onto_branch=step.target if step.onto_commit else "",
        key=layer.branch,
        title=layer.title or layer.task_id,
    )
    done = await thread.run_activity(Stacking.replay_layer, call, _where(thread))
    return EndLayer(step=step, **dict(done))


async def _publish(effect: MoveLayer, layer: Layer, thread: ThreadLoop) -> EndLayer:
    step = effect.step
    call = LayerCall(
        **dict(push_of(thread, step.commit)),
        made=layer.made,
        draft=effect.draft,
        number=layer.number,
        url=layer.url,
    )
    done = await thread.run_activity(Stacking.publish_layer, call, _where(thread))
    found = done.pull_request
    if found is None:
        return EndLayer(step=step, failure=done.obstacle)
    return EndLayer(step=step, told=effect.told, pull_request=found.number, url=found.url)


async def _note(effect: MoveLayer, layer: Layer, thread: ThreadLoop) -> EndLayer:
    """Tell the watch where its pull request stands; what is told twice changes nothing."""
    of = PullRequestId(project=effect.draft.project, number=layer.number)
    push = NotePush(commit=layer.pushed)
    await note_push(of, layer.url, push, thread, is_watched=bool(layer.noted))
    watch = publication_id(thread.input.thread_id, layer.number)
    await reaches(watch, "note_stack", NoteStack(trouble=layer.trouble))
    return EndLayer(step=effect.step, news=layer.news)


async def _remove(effect: MoveLayer, layer: Layer, thread: ThreadLoop) -> EndLayer:
    call = DeleteBranchCall(project=effect.draft.project, branch=layer.branch, commit=layer.pushed)
    done = await thread.run_activity(Watching.delete_merged_branch, call, _where(thread))
    return EndLayer(step=effect.step, failure=done.failure)
