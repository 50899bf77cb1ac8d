"""A thread and the base of its branch: who asks, what waits, and what is pushed with it."""

import pytest

from domain.conversations.commands import MergeSession
from domain.core.errors import WrongStateError
from domain.core.ids import CommandId
from domain.plans.templates.template import BasePolicy, BaseUpdate
from domain.tasks.conflicts import base_subject
from domain.tasks.running_commands import Publish
from domain.threads import rules
from domain.threads.bases.commands import UpdateBase
from domain.threads.bases.looks import BaseLook
from domain.threads.bases.rules import method_of, updates_base
from domain.threads.effects import DeliverPrompt
from domain.threads.events import PromptDelivered
from domain.threads.merging.effects import MergeSessionChanges
from domain.threads.planning.commands import PlannerChoice, RequestPlan
from domain.threads.publishing.effects import PushBranch
from domain.threads.publishing.publication import PublishStage
from domain.threads.publishing.watching import policy_of
from tests.domain.base_life import PUSHED, TAKEN_IN, WANTED, Life
from tests.domain.test_beside import API


@pytest.fixture
def life() -> Life:
    life = Life()
    life.publish()
    return life


def test_what_the_forge_wants_is_taken_in_and_pushed_once(life: Life) -> None:
    for _ in range(2):
        life.take(WANTED)
    assert life.dues == ["forge-1"]

    for _ in range(2):
        life.end("forge-1", commit=TAKEN_IN)

    assert [event.commit for event in life.asked_to_publish] == ["", TAKEN_IN]
    assert life.dues == ["push-2"]
    assert not any(isinstance(e, PushBranch) for e in rules.effects(life.state))


@pytest.mark.parametrize(
    ("tip", "merge"),
    [
        ("e" * 40, {"commit": TAKEN_IN}),
        (PUSHED, {"conflicts": ("app.py",)}),
        (PUSHED, {"failure": "the tests failed"}),
        (PUSHED, {}),
    ],
)
def test_nothing_is_pushed_with_other_work_or_without_the_base(
    life: Life, tip: str, merge: dict[str, object]
) -> None:
    life.take(WANTED)
    life.end("forge-1", tip, **merge)

    assert len(life.asked_to_publish) == 1
    assert life.dues == []


def test_a_person_who_confirmed_a_commit_publishes_the_base_that_was_taken_in() -> None:
    life = Life()
    life.publish(PUSHED)
    life.take(WANTED)
    life.end("forge-1", commit=TAKEN_IN)

    assert life.state.base.updated == TAKEN_IN
    assert not policy_of(life.state).pushes_base
    assert len(life.asked_to_publish) == 1


def test_a_base_that_moves_once_more_before_the_push_is_pushed_as_well(life: Life) -> None:
    life.take(WANTED)
    life.end("forge-1", commit=TAKEN_IN)
    life.end("push-2", TAKEN_IN, commit="e" * 40)
    life.end("push-3", "e" * 40)

    assert [event.commit for event in life.asked_to_publish] == ["", TAKEN_IN, "e" * 40]
    (push,) = (e for e in rules.effects(life.state) if isinstance(e, PushBranch))
    assert push.number == 3


@pytest.mark.parametrize("merge", [{"conflicts": ("app.py",)}, {"failure": "the tests failed"}])
def test_what_the_forge_wants_is_not_pushed_where_its_base_cannot_be_taken_in(
    life: Life, merge: dict[str, object]
) -> None:
    life.take(WANTED)
    life.end("forge-1", commit=TAKEN_IN)
    life.end("push-2", TAKEN_IN, **merge)

    assert life.state.publication.stage is PublishStage.FAILED
    assert not any(isinstance(e, PushBranch) for e in rules.effects(life.state))


def test_the_forge_is_heard_after_a_push_that_failed(life: Life) -> None:
    life.take(Publish(command_id=CommandId("again"), wants_pull_request=False))
    life.end("push-2", failure="the tests failed")
    life.take(WANTED)

    assert life.dues == ["forge-1"]


def test_what_a_person_made_of_a_conflict_is_verified_before_a_push_whatever_the_policy() -> None:
    life = Life(BasePolicy(fetch=False))
    base = life.state.base.model_copy(update={"is_tip_unverified": True})
    life.state = life.state.model_copy(update={"base": base})

    life.take(Publish(command_id=CommandId("p"), wants_pull_request=False))

    assert life.dues == ["push-1"]
    life.end("push-1", failure="the tests failed")
    assert life.state.base.is_tip_unverified
    assert life.state.publication.stage is PublishStage.FAILED


def test_a_person_s_wish_is_carried_out_where_the_policy_does_nothing_unasked() -> None:
    life = Life(BasePolicy(update=BaseUpdate.OFF))
    life.take(UpdateBase(command_id=CommandId("u")))

    assert method_of("asked-1", life.state) is BaseUpdate.MERGE
    assert method_of("push-1", life.state) is BaseUpdate.OFF


def test_a_later_plan_waits_until_the_base_was_looked_at() -> None:
    life = Life()
    (first,) = deliveries(life)
    life.state = rules.fold(life.state, (PromptDelivered(key=first.prompt_key),))
    life.take(RequestPlan(command_id=CommandId("plan"), rivals=(PlannerChoice(agent="other"),)))

    assert [due.partition("-")[0] for due in life.dues] == ["plan"]
    assert deliveries(life) == []

    life.end(life.dues[0], failure="the tests failed")

    assert life.dues == []
    assert len(deliveries(life)) == 2


def test_the_first_words_of_a_thread_wait_for_no_second_look() -> None:
    life = Life()

    assert life.dues == []
    assert len(deliveries(life)) == 1


def test_a_chat_s_changes_come_in_once_the_base_was_looked_at() -> None:
    life = Life()
    life.take(MergeSession(command_id=CommandId("m"), session_id=next(iter(life.state.sessions))))

    assert life.dues == ["chat-1"]
    assert merges(life) == []

    life.end("chat-1", failure="the tests failed")

    assert life.dues == []
    assert [merge.number for merge in merges(life)] == [1]


def test_the_resolved_conflict_of_a_base_waits_for_no_other_look() -> None:
    life = Life()
    lifecycle = life.state.lifecycle.merging(base_subject(life.state.thread_id))
    life.state = life.state.model_copy(update={"lifecycle": lifecycle})

    assert life.dues == []
    assert len(merges(life)) == 1


def merges(life: Life) -> list[MergeSessionChanges]:
    return [e for e in rules.effects(life.state) if isinstance(e, MergeSessionChanges)]


def deliveries(life: Life) -> list[DeliverPrompt]:
    return [e for e in rules.effects(life.state) if isinstance(e, DeliverPrompt)]


def test_a_branch_that_was_pushed_is_never_rebased_by_itself() -> None:
    life = Life(BasePolicy(update=BaseUpdate.REBASE))
    assert method_of("push-1", life.state) is BaseUpdate.REBASE
    life.publish()

    life.take(Publish(command_id=CommandId("again"), wants_pull_request=False))

    assert life.dues == ["push-2"]
    assert method_of("push-2", life.state) is BaseUpdate.MERGE


def test_a_wish_about_another_commit_than_was_pushed_is_late(life: Life) -> None:
    life.take(WANTED.model_copy(update={"commit": "f" * 40}))

    assert life.dues == []


def test_what_is_being_published_looks_at_the_base_itself(life: Life) -> None:
    life.take(Publish(command_id=CommandId("again"), wants_pull_request=False))
    life.take(WANTED)

    assert life.dues == ["push-2"]


def test_a_person_need_not_wait_for_the_forge_s_wish(life: Life) -> None:
    life.take(WANTED)
    life.take(UpdateBase(command_id=CommandId("u"), by="ann"))

    assert life.dues == ["asked-2"]


@pytest.mark.parametrize(
    "life",
    [
        Life(BasePolicy(update=BaseUpdate.OFF)),
        Life(BasePolicy(fetch=False)),
        Life(beside=(API,), name="web"),
    ],
)
def test_a_thread_that_may_not_leaves_it_to_a_person(life: Life) -> None:
    life.publish()
    life.take(WANTED)

    assert not updates_base(life.state)
    assert life.dues == []


def test_a_thread_on_several_repositories_names_them_and_takes_nothing_in() -> None:
    life = Life(beside=(API,), name="web")

    with pytest.raises(WrongStateError, match="in each of web, api"):
        life.take(UpdateBase(command_id=CommandId("u")))


def test_a_thread_knows_its_base_from_the_start() -> None:
    look = BaseLook(remote="origin", base="main", commit="b" * 40, behind=3, note="away")

    base = Life(base_look=look).state.base

    assert (base.base, base.behind, base.note) == ("main", 3, "away")


def test_a_thread_without_remote_says_so() -> None:
    life = Life()
    facts = life.state.opened.facts.model_copy(update={"remotes": {}})
    opened = life.state.opened.model_copy(update={"facts": facts})
    life.state = life.state.model_copy(update={"opened": opened})

    with pytest.raises(WrongStateError, match="no remote"):
        life.take(UpdateBase(command_id=CommandId("u")))
