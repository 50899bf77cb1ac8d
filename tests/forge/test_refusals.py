"""What forges refuse, the same on every forge: which error, and never a token in it."""

import traceback
from collections.abc import Callable

import pytest

from domain.forges.errors import (
    ForgeAccessError,
    ForgeBusyError,
    ForgeError,
    ForgeGoneError,
)
from tests.forge.adapters import draft_of, forges_of, opened
from tests.forge.double import TOKEN, Double
from tests.forge.moods import Mood, Moods
from tests.forge.routing import Answered


def archived(double: Double) -> None:
    double.projects[double.path].is_archived = True


def moved(double: Double) -> None:
    double.projects[double.path].moved_to = "octo/other"


def gone(double: Double) -> None:
    double.projects[double.path].is_gone = True


@pytest.mark.parametrize("happened", [archived, moved, gone], ids=lambda f: f.__name__)
async def test_a_project_that_takes_nothing_is_gone(
    double: Double, happened: Callable[[Double], None]
):
    it = await opened(double)
    happened(double)
    with pytest.raises(ForgeGoneError) as told:
        await it.forges.comment(it.of, "Done", "key")

    assert double.path in told.value.message
    assert not told.value.is_retryable


async def test_a_token_without_scope_is_named_by_its_variable(double: Double):
    double.has_scope = False
    with pytest.raises(ForgeAccessError, match="FORGE_TOKEN must be allowed"):
        await forges_of(double).open_pull_request(draft_of(double))


async def test_a_rate_limit_says_for_how_long(double: Double):
    it = await opened(double)
    double.moods = Moods(rate=0, planned=[Mood.LIMITED], reset_seconds=7)
    with pytest.raises(ForgeBusyError) as told:
        await it.look({})

    assert told.value.wait is not None
    assert told.value.wait.total_seconds() == 7


async def test_an_answer_of_10_mb_is_refused(double: Double):
    it = await opened(double)
    double.next_answers.append(Answered(200, "[" + " " * (10 << 20) + "]"))
    with pytest.raises(ForgeError, match="too large"):
        await it.look({})


@pytest.mark.parametrize("content", ["<html>", "[]", '{"number": "x"}', "{}", "null"])
async def test_an_answer_that_is_something_else_is_refused(double: Double, content: str):
    it = await opened(double)
    double.next_answers.append(Answered(200, content))
    with pytest.raises(ForgeError, match="is it a Git"):
        await it.look({})


@pytest.mark.parametrize(
    "token", [TOKEN, "wrong-token-of-a-person", "two\nlines-of-token", "ünïcode-token"]
)
@pytest.mark.parametrize("mood", [Mood.DROPPED, Mood.FAILS, Mood.LIMITED, Mood.FINE])
async def test_no_token_is_in_an_error(double: Double, token: str, mood: Mood):
    double.moods = Moods(rate=0, planned=[mood] * 3)
    double.has_scope = False
    with pytest.raises(ForgeError) as told:
        await forges_of(double, token).open_pull_request(draft_of(double))

    words = "".join(traceback.format_exception(told.value)) + repr(told.value)
    assert not any(part in words for part in token.split())
