"""Reworks of a pull request over any order of looks, pushes, ends and what people say."""

from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import TreadleError
from domain.core.wire import Wire
from domain.forges.pull_requests import CheckState, Look
from domain.publications import commands
from domain.publications.events import (
    PullRequestReworkAsked,
)
from domain.publications.items import ItemKind
from domain.publications.state import PublicationState
from tests.domain.publication_life import ANN, BOT, HEAD, Life, check, comment, thread, view

NEXT = "e" * 40


def reworks(life: Life) -> list[PullRequestReworkAsked]:
    return [event for event in life.events if isinstance(event, PullRequestReworkAsked)]


COSTS = st.sampled_from([0.0, 0.5, 1.0, 2.0])
STEPS = st.one_of(
    st.builds(
        lambda failed, said, by, head: commands.NoteLook(
            look=Look(
                view=view(
                    head_commit=head,
                    checks=tuple(check(CheckState.FAILED, number) for number in failed),
                    threads=(thread(comment(said, by)),),
                )
            )
        ),
        st.lists(st.integers(1, 4), max_size=2, unique=True),
        st.sampled_from("abc"),
        st.sampled_from([ANN, BOT]),
        st.sampled_from([HEAD, NEXT]),
    ),
    st.builds(
        commands.NotePush,
        commit=st.sampled_from([HEAD, NEXT]),
        rework=st.integers(0, 4),
        usd=COSTS,
    ),
    st.builds(
        commands.NoteRework,
        number=st.integers(1, 4),
        is_done=st.booleans(),
        is_published=st.booleans(),
        usd=COSTS,
    ),
    st.builds(commands.EndReworkAsk, number=st.integers(1, 4)),
    st.builds(commands.EndAnswer, number=st.integers(1, 4), failure=st.sampled_from(["", "403"])),
    st.just(commands.UnwatchPullRequest()),
    st.just(commands.WatchPullRequest()),
    st.sampled_from(["rework", "dismiss", "restart"]),
)


def persons(step: str, life: Life) -> Wire:
    """Return what a person says of the first item that is open."""
    name = next(iter(life.state.items), "none")
    kind = commands.ReworkPullRequestItem if step == "rework" else commands.DismissPullRequestItem
    return kind(item_id=name, by="ada")


def check_money(life: Life, most: float) -> None:
    """Have no rework by the policy begun once those before had cost the most, and no cost be lost."""
    spent = 0.0
    for event in life.events:
        spent = max(spent, getattr(event, "usd", 0.0))
        if isinstance(event, PullRequestReworkAsked) and event.is_by_policy:
            assert not most or spent < most
    assert sum(each.usd for each in life.state.ended_reworks) <= life.state.reworks.usd == spent


@given(
    st.lists(STEPS, max_size=30),
    st.integers(0, 3),
    st.sampled_from([(), ("ann",), ("treadle",)]),
    st.sampled_from(["card", "rework"]),
    st.sampled_from([0.0, 0.5, 1.5]),
)
def test_reworks_are_bounded_and_caused_by_named_authors_only(steps, most, authors, on_check, usd):
    policy = {"on_review_comment": "rework", "on_failed_check": on_check, "authors": authors}
    life, by_people = Life(**policy, max_reworks=most, max_rework_usd=usd), 0
    for step in steps:
        if step == "restart":  # as a run that continues as new, or a worker that was killed
            life.state = PublicationState.model_validate_json(life.state.model_dump_json())
            continue
        command = step if isinstance(step, Wire) else persons(step, life)
        count = len(reworks(life))
        try:
            life.take(command)
        except TreadleError:
            continue
        new = reworks(life)[count:]
        by_people += sum(not each.is_by_policy for each in new)
        if isinstance(command, commands.NoteLook):
            seen = len(life.events)
            life.take(command)
            assert len(life.events) == seen  # a second look of the same causes nothing
    found = reworks(life)
    by_policy = [event for event in found if event.is_by_policy]
    assert len(by_policy) == life.state.reworks.by_policy <= most
    assert len({event.item.item_id for event in by_policy}) == len(by_policy)
    assert [event.number for event in found] == [*range(1, len(found) + 1)]
    check_money(life, usd)
    for event in by_policy:
        if event.item.kind is ItemKind.FAILED_CHECK:
            assert on_check == "rework"
        else:
            assert event.item.author in authors
