"""A hundred seeds of moods for each kind of forge: nothing is opened, written or merged twice."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from domain.forges.errors import ForgeBusyError
from domain.forges.markers import marked
from domain.forges.projects import ForgeKind
from tests.forge.adapters import KINDS, Opened, draft_of, forges_of
from tests.forge.double import Double, forge_double
from tests.forge.moods import Moods

SEEDS = 100
ATTEMPTS = 200
T = TypeVar("T")


async def asked_until_answered(ask: Callable[[], Awaitable[T]]) -> tuple[T, int]:
    """Return an answer, as a worker gets it that is killed and asks again; and how often it was asked."""
    for attempt in range(1, ATTEMPTS):
        try:
            return await ask(), attempt
        except ForgeBusyError:
            continue
    raise AssertionError("it was never answered")


async def one_run(double: Double, seed: int) -> int:
    """Open, answer, comment and merge under moods; returns how often something was asked again."""
    head = f"treadle/greet-{seed}"
    forges, draft = forges_of(double), draft_of(double, head)
    double.moods = Moods(seed=seed, rate=0.3, slow_seconds=0)
    made, attempts = await asked_until_answered(lambda: forges.open_pull_request(draft))
    it = Opened(double, forges, made.number)
    double.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    view, _ = await asked_until_answered(it.view)
    thread = view.threads[0].id
    total = attempts - 1
    for ask in (
        lambda: forges.reply(it.of, thread, f"Reply {seed}", f"reply-{seed}"),
        lambda: forges.comment(it.of, f"Comment {seed}", f"comment-{seed}"),
        lambda: forges.merge(it.merge_request()),
    ):
        _, attempts = await asked_until_answered(ask)
        total += attempts - 1
    return total


@pytest.mark.parametrize("kind", KINDS, ids=str)
async def test_nothing_happens_twice_whatever_the_forge_does(kind: ForgeKind):
    with forge_double(kind) as double:
        again = [await one_run(double, seed) for seed in range(SEEDS)]

    expected = [marked(f"Reply {n}", f"reply-{n}") for n in range(SEEDS)]
    expected += [marked(f"Comment {n}", f"comment-{n}") for n in range(SEEDS)]
    assert sum(map(bool, again)) > SEEDS // 2, "moods that hurt nobody prove nothing"
    assert double.opened == {(double.path, f"treadle/greet-{n}"): 1 for n in range(SEEDS)}
    assert double.written == Counter(expected)
    assert Counter(number for _, number, _ in double.merges).most_common(1)[0][1] == 1
    assert len(double.merges) == SEEDS
    assert double.wrong == []
    assert double.statuses[500] > 0 < double.statuses[502]
