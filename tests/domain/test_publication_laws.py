"""Whatever happens to a watched pull request: nothing is asked twice, and nothing is merged unasked."""

from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import TreadleError
from domain.forges.markers import marked
from domain.forges.policy import AutoMerge
from domain.forges.pull_requests import (
    CheckState,
    Look,
    Mergeability,
    MergeAnswer,
    PullRequestState,
)
from domain.publications import commands
from domain.publications.events import (
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestMergeAsked,
)
from domain.publications.items import ItemKind
from domain.publications.pace import LONGEST, PENDING_LONGEST, SHORTEST, Pace
from domain.publications.rules import PUBLICATION_RULES
from tests.domain.publication_life import ANN, BOT, HEAD, NOW, Life, check, comment, thread, view

STATES = st.sampled_from(list(PullRequestState))
CHECKS = st.lists(
    st.builds(check, st.sampled_from(list(CheckState)), st.integers(1, 3)), max_size=3
)
COMMENTS = st.builds(
    comment,
    st.sampled_from("abc"),
    st.sampled_from([BOT, ANN]),
    edited_at=st.sampled_from([None, NOW]),
    body=st.sampled_from(["why?", marked("done", "k")]),
)
VIEWS = st.builds(
    view,
    state=STATES,
    head_commit=st.sampled_from([HEAD, "d" * 40]),
    checks=CHECKS.map(tuple),
    threads=st.lists(st.builds(thread, COMMENTS, is_resolved=st.booleans()), max_size=1).map(tuple),
    mergeability=st.sampled_from(list(Mergeability)),
    is_draft=st.booleans(),
)
COMMANDS = st.one_of(
    VIEWS.map(lambda found: commands.NoteLook(look=Look(view=found))),
    st.just(commands.NoteLook(look=Look())),
    st.sampled_from([HEAD, "d" * 40]).map(lambda c: commands.MergePullRequest(commit=c, by="ann")),
    st.sampled_from([HEAD, "d" * 40]).map(lambda c: commands.NotePush(commit=c)),
    st.builds(
        commands.EndMerge,
        number=st.integers(1, 3),
        answer=st.sampled_from([None, MergeAnswer(is_merged=True), MergeAnswer(is_merged=False)]),
    ),
    st.sampled_from(
        [
            commands.WatchPullRequest(),
            commands.UnwatchPullRequest(),
            commands.CancelPullRequestMerge(),
            commands.EndReport(),
            commands.NoteTrouble(kind=ItemKind.UNREACHABLE, words="503"),
        ]
    ),
    st.just("dismiss"),
)


@given(st.lists(COMMANDS, max_size=25), st.sampled_from(list(AutoMerge)))
def test_whatever_happens(steps: list, auto: AutoMerge) -> None:
    life, asked_by_people = Life(auto_merge=auto), 0
    for step in steps:
        before, seen = life.state, len(life.events)
        command = step
        if step == "dismiss":
            command = commands.DismissPullRequestItem(item_id=next(iter(before.items), "none"))
        try:
            life.take(command)
        except TreadleError:
            assert life.state is before
            continue
        asked_by_people += isinstance(command, commands.MergePullRequest)
        new = life.events[seen:]
        for event in new:
            # a second look of the same opens nothing, and merges nothing
            if isinstance(event, PullRequestItemOpened):
                assert event.item.item_id not in before.items
        if isinstance(command, commands.NoteLook) and before.is_watched and life.state.is_watched:
            again = PUBLICATION_RULES.decide(life.state, command, life.now).events
            assert again == ()
    opened = [e.item.item_id for e in life.events if isinstance(e, PullRequestItemOpened)]
    closed = [e.item_id for e in life.events if isinstance(e, PullRequestItemClosed)]
    assert len(opened) - len(closed) == len(life.state.items)
    merges = [e for e in life.events if isinstance(e, PullRequestMergeAsked)]
    assert sum(not e.is_by_policy for e in merges) <= asked_by_people
    if auto is AutoMerge.OFF:
        assert not any(e.is_by_policy for e in merges)


@given(st.integers(0, 200), st.integers(0, 200), st.floats(0, 1), st.booleans(), st.floats(0, 9999))
def test_waits_grow_to_a_bound_and_respect_the_forge(quiet, failed, spread, pending, least) -> None:
    pace = Pace(quiet=quiet, failed=failed)
    wait = pace.wait(spread, is_pending=pending, least=least)

    longest = PENDING_LONGEST if pending and not failed else LONGEST
    assert max(least, SHORTEST * 0.8) <= wait <= max(least, longest * 1.21)
    assert Pace().wait(spread, is_pending=pending) <= wait
