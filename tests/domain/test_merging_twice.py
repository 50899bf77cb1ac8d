"""Changes of a chat that are merged a second time are not told as merged."""

import pytest

from domain.conversations.commands import MergeSession
from domain.core.lifecycle.events import SessionMergeEnded
from domain.core.workspaces import MergeResult
from domain.reading.event_text import text_of
from domain.threads.merging.effects import EndSessionMerge
from domain.threads.patches import ALL
from tests.domain.planning_world import FIRST, World


@pytest.mark.parametrize(
    ("commit", "is_new", "words"), [("b" * 40, True, "merged into"), ("a" * 40, False, "already")]
)
def test_what_the_branch_has_already_is_nothing_new(commit: str, is_new: bool, words: str) -> None:
    world = World(is_planned=False, patches=ALL)
    number = world.send(MergeSession(session_id=FIRST, by="ada")).data["number"]
    merge = MergeResult(commit=commit, source="a" * 40)
    world.send(EndSessionMerge(session_id=FIRST, number=number, merge=merge))
    ended = world.log[-1]
    assert isinstance(ended, SessionMergeEnded)
    assert ended.is_new is is_new
    assert world.state.lifecycle.merged[FIRST].is_new is is_new
    told = text_of(ended)
    assert told is not None
    assert words in told.summary
