"""How a thread has its finished branch merged."""

from temporalio.exceptions import ActivityError

from activities.branches import BranchMerges
from domain.core.ids import host_queue
from domain.threads.events import ThreadOpened
from domain.threads.landing.calls import BesideTarget, LandCall, Landing
from domain.threads.landing.effects import EndLanding, LandBranch
from workflows import options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


def _targets(opened: ThreadOpened, landing: Landing) -> tuple[BesideTarget, ...]:
    """Return where the branches are, of the repositories beside, that a person saw."""
    return tuple(
        BesideTarget(
            **dict(other), target=one.head_branch or "", target_commit=landing.beside[one.name]
        )
        for one, other in zip(opened.beside, opened.others, strict=True)
        if one.name in landing.beside
    )


@carries
async def _land(effect: LandBranch, thread: ThreadLoop) -> None:
    opened, landing = thread.state.opened, thread.state.landing
    if opened is None:
        return
    call = LandCall(
        thread_id=thread.input.thread_id,
        repository=opened.facts.root,
        branch=opened.branch,
        commit=landing.commit,
        target=landing.target,
        target_commit=landing.target_commit,
        beside=_targets(opened, landing),
    )
    where = options.on(host_queue(opened.host), options.GIT_BRIEFLY)
    try:
        done = await thread.run_activity(BranchMerges.merge_branch, call, where)
    except ActivityError as error:
        thread.submit(EndLanding(number=effect.number, failure=words_of(error)))
        return
    thread.submit(EndLanding(number=effect.number, merge_commit=done.commit))
