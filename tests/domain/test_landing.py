"""When a thread's branch may be merged into the branch that the thread began on."""

import pytest

from domain.conversations.commands import OpenSession
from domain.core.branch_status import BranchStatus
from domain.core.errors import InvalidError, WrongStateError
from domain.core.ids import CommandId, ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.forges.pull_requests import PullRequest
from domain.plans.templates.template import PlanTemplate
from domain.threads import rules
from domain.threads.branch_status import branch_status
from domain.threads.calls import OpenedThread
from domain.threads.commands import OpenThread
from domain.threads.landing.calls import LandingStage
from domain.threads.landing.commands import MergeBranch
from domain.threads.landing.effects import EndLanding, LandBranch
from domain.threads.publishing.publication import FinishedPullRequest, Publication
from domain.threads.state import ThreadState
from tests.domain.running_plan import RunningPlan, task
from tests.domain.world import NOW

THREAD = ThreadId("thread-test-1")
MERGE = MergeBranch(
    command_id=CommandId("merge"), commit="c" * 40, target_commit="a" * 40, by="ann"
)


def chat(head_branch: str | None = "main") -> ThreadState:
    """Return a thread in which nothing is under way."""
    opened = OpenedThread(
        facts=RepositoryFacts(root="/repo", head="a" * 40, head_branch=head_branch),
        template=PlanTemplate(name="plain"),
        branch="treadle/x",
        host="here",
    )
    state = ThreadState(thread_id=THREAD)
    opening = OpenThread(
        thread_id=THREAD, goal="talk", agent="fake", opened=opened, is_planned=False
    )
    for command in (opening, OpenSession(command_id=CommandId("chat"))):
        state = rules.fold(state, rules.decide(state, command, NOW).events)
    return state


def after(state: ThreadState, *commands) -> ThreadState:
    for command in commands:
        state = rules.fold(state, rules.decide(state, command, NOW).events)
    return state


def landings(state: ThreadState) -> list[LandBranch]:
    return [effect for effect in rules.effects(state) if isinstance(effect, LandBranch)]


def test_a_branch_is_merged_once_into_where_its_thread_began():
    state = after(chat(), MERGE)
    assert state.landing.target == "main"
    assert landings(state) == [LandBranch(number=1)]
    assert after(state, MERGE) == state

    state = after(state, EndLanding(number=1, merge_commit="e" * 40))
    assert landings(state) == []
    assert (state.landing.stage, state.landing.merge_commit) == (LandingStage.MERGED, "e" * 40)


def test_a_merge_that_was_refused_can_be_asked_for_again():
    state = after(chat(), MERGE, EndLanding(number=1, failure="main has moved"))
    assert (state.landing.stage, state.landing.failure) == (LandingStage.REFUSED, "main has moved")

    state = after(state, MERGE, EndLanding(number=1, failure="late"))

    assert landings(state) == [LandBranch(number=2)]


def test_a_plan_that_runs_is_not_merged():
    with pytest.raises(WrongStateError, match="is still running"):
        rules.decide(with_branch(RunningPlan(task("one")).state), MERGE, NOW)


@pytest.mark.parametrize("name", ["", "main", "--help", "c" * 39, f"{'c' * 40}\n"])
def test_only_whole_commits_say_what_was_shown(name: str):
    with pytest.raises(InvalidError, match="whole ids"):
        rules.decide(chat(), MERGE.model_copy(update={"commit": name}), NOW)


def test_a_thread_that_began_on_no_branch_has_none_to_merge_into():
    with pytest.raises(WrongStateError, match="git merge treadle/x"):
        rules.decide(chat(None), MERGE, NOW)


def with_branch(state: ThreadState) -> ThreadState:
    assert state.opened is not None
    facts = state.opened.facts.model_copy(update={"head_branch": "main"})
    opened = state.opened.model_copy(update={"facts": facts})
    return state.model_copy(update={"opened": opened})


def test_the_branch_is_merged_for_the_plan_that_was_carried_out_then():
    state = after(chat(), MERGE, EndLanding(number=1, merge_commit="e" * 40))
    assert branch_status(state) is BranchStatus.MERGED

    later = state.model_copy(update={"approved": 2})
    assert branch_status(later) is BranchStatus.OPEN


@pytest.mark.parametrize(
    ("finished", "status"),
    [
        (None, BranchStatus.IN_REVIEW),
        (FinishedPullRequest(number=6, is_merged=True), BranchStatus.IN_REVIEW),
        (FinishedPullRequest(number=7, is_merged=True), BranchStatus.MERGED),
        (FinishedPullRequest(number=7), BranchStatus.CLOSED),
    ],
)
def test_a_branch_is_in_review_until_its_newest_pull_request_ends(finished, status):
    opened = PullRequest(number=7, url="https://forge.example/7")
    published = Publication(pull_request=opened, finished=finished)
    assert branch_status(chat().model_copy(update={"publication": published})) is status
