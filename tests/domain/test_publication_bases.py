"""A pull request that is behind its base: the thread is asked once, and a person where that does not help."""

from datetime import timedelta

import pytest

from domain.core.wire import Wire
from domain.forges.pull_requests import Mergeability
from domain.publications import commands
from domain.publications.bases import PATIENCE
from domain.publications.effects import AskForBase
from domain.publications.items import ItemKind
from domain.publications.registry import PUBLICATION_RULES
from tests.domain.publication_life import HEAD, Life, view

BEHIND = view(mergeability=Mergeability.BEHIND, base_commit="b" * 40)
CONFLICTS = view(mergeability=Mergeability.CONFLICTS, base_commit="b" * 40)


def asked(life: Life) -> list[AskForBase]:
    return [e for e in PUBLICATION_RULES.effects(life.state) if isinstance(e, AskForBase)]


def told(life: Life, **more: object) -> None:
    (effect,) = asked(life)
    answer = {"commit": effect.commit, "base_commit": effect.base_commit, **more}
    life.take(commands.EndBaseAsk(**answer))


@pytest.mark.parametrize(
    ("found", "kind"), [(BEHIND, ItemKind.BEHIND), (CONFLICTS, ItemKind.CONFLICTS)]
)
def test_where_the_thread_may_not_a_person_is_asked_once(found: Wire, kind: ItemKind) -> None:
    life = Life()
    for _ in range(2):
        life.look(found)

    assert life.open == [kind]
    assert len(life.opened(kind)) == 1
    assert asked(life) == []
    assert "treadle update-branch" in life.opened(kind)[0].advice


def test_a_person_who_confirmed_a_commit_publishes_what_the_thread_took_in() -> None:
    life = Life(updates_base=True, pushes_base=False)
    life.look(BEHIND)

    assert len(asked(life)) == 1
    assert life.open == [ItemKind.BEHIND]
    assert "confirmed another commit" in life.opened(ItemKind.BEHIND)[0].advice


@pytest.mark.parametrize("found", [BEHIND, CONFLICTS])
def test_where_the_thread_may_it_is_asked_once_and_no_person(found: Wire) -> None:
    life = Life(updates_base=True)
    life.look(found)
    told(life)
    life.look(found)

    assert life.open == []
    assert asked(life) == []


def test_a_base_that_moves_again_is_asked_for_again() -> None:
    life = Life(updates_base=True)
    life.look(BEHIND)
    told(life)

    life.look(BEHIND.model_copy(update={"base_commit": "e" * 40}))

    assert [effect.base_commit for effect in asked(life)] == ["e" * 40]


@pytest.mark.parametrize("is_view_new", [True, False])
def test_a_person_is_asked_when_the_thread_has_not_done_it_in_its_time(is_view_new: bool) -> None:
    life = Life(updates_base=True)
    life.look(CONFLICTS)
    told(life)
    life.now += PATIENCE - timedelta(seconds=1)
    life.look(CONFLICTS if is_view_new else None)
    assert life.open == []

    life.now += timedelta(seconds=1)
    for _ in range(2):
        life.look(CONFLICTS if is_view_new else None)

    assert life.open == [ItemKind.CONFLICTS]
    assert "was asked to take it in and has not" in life.opened(ItemKind.CONFLICTS)[0].advice


def test_a_base_that_goes_on_moving_does_not_put_a_person_off_for_ever() -> None:
    life = Life(updates_base=True)
    for number in range(4):
        life.look(BEHIND.model_copy(update={"base_commit": str(number) * 40}))
        told(life)
        life.now += PATIENCE / 3
    life.look(None)

    assert life.open == [ItemKind.BEHIND]


def test_a_thread_that_is_gone_leaves_it_to_a_person_at_once() -> None:
    life = Life(updates_base=True)
    life.look(BEHIND)
    told(life, is_reached=False)
    life.look(BEHIND)

    assert life.open == [ItemKind.BEHIND]


def test_a_head_that_somebody_else_pushed_is_a_person_s() -> None:
    life = Life(updates_base=True)
    life.look(CONFLICTS.model_copy(update={"head_commit": "d" * 40}))

    assert asked(life) == []
    assert set(life.open) == {ItemKind.CONFLICTS, ItemKind.FOREIGN_PUSH}


def test_the_card_goes_when_the_base_is_in() -> None:
    life = Life()
    life.look(CONFLICTS)
    pushed = "d" * 40
    life.take(commands.NotePush(commit=pushed))
    life.look(view(head_commit=pushed, mergeability=Mergeability.CLEAN))

    assert life.open == []


def test_a_merged_pull_request_asks_nobody_for_its_base() -> None:
    life = Life(updates_base=True)
    life.look(CONFLICTS.model_copy(update={"state": "merged"}))

    assert asked(life) == []
    assert ItemKind.CONFLICTS not in life.open
    assert life.state.commits == (HEAD,)
