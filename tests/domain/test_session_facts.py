"""What doors show of a session, folded from its own stream."""

from datetime import UTC, datetime

import pytest

from domain.agents.agents import SessionRole, TurnResult
from domain.agents.offers import OfferedOption
from domain.conversations.events import (
    AgentSessionOpened,
    RoleChanged,
    SandboxApplied,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from domain.conversations.sessions.facts import SessionFacts
from domain.core.workspaces import Snapshot

UNTIL = datetime(2026, 1, 2, tzinfo=UTC)
REFUSED = TurnDelayed(
    session_id="s", turn_id="t", provider="p", reason="too many", until=UNTIL, refusals=1
)


@pytest.mark.parametrize(
    ("then", "is_working"),
    [
        (TurnResumed(session_id="s", turn_id="t"), True),
        (TurnEnded(session_id="s", result=TurnResult(turn_id="t")), False),
    ],
)
def test_a_refused_turn_waits_until_it_goes_on_or_ends(then, is_working):
    started = SessionFacts().after(
        TurnStarted(session_id="s", turn_id="t", number=1, prompt_name="message")
    )
    waits = started.after(REFUSED)
    after = waits.after(then)

    assert (waits.waits_until, waits.waits_for, waits.is_working) == (UNTIL, "too many", True)
    assert waits.shown["waits_until"] == UNTIL
    assert (after.waits_until, after.waits_for, after.is_working) == (None, "", is_working)


def test_the_mode_and_the_sandbox_of_a_role_are_not_shown_for_the_next_one():
    def opened(mode: str) -> AgentSessionOpened:
        options = (
            OfferedOption(option_id="mode", category="mode", current=mode),
            OfferedOption(option_id="model", category="model", current="m1"),
        )
        return AgentSessionOpened(turn_id="t", agent_session="a", options=options)

    confined = {"level": "read-only", "network": "host", "summary": "read-only"}
    applied = SandboxApplied.model_validate({"turn_id": "t", **confined})
    planner = SessionFacts().after(applied).after(opened("plan"))
    chat = planner.after(RoleChanged(session_id="s", role=SessionRole.CHAT))
    working = chat.after(opened("default"))

    assert (planner.shown["options"]["mode"], planner.shown["sandbox"]) == ("plan", "read-only")
    assert (chat.shown["options"], chat.shown["sandbox"]) == ({"model": "m1"}, "")
    assert working.shown["options"]["mode"] == "default"


def test_a_session_lists_the_files_of_its_own_turns():
    def ended(**snapshot: object) -> TurnEnded:
        kept = Snapshot(commit="c", tree="t", base="b", **snapshot)
        return TurnEnded(session_id="s", result=TurnResult(turn_id="t", snapshot=kept))

    first = SessionFacts().after(ended(files=("a",), is_changed=True))
    second = first.after(ended(files=("a", "b"), is_changed=True, turn_files=("b",)))
    idle = second.after(ended(files=("a", "b", "other"), is_changed=False))

    assert (first.shown["files"], idle.shown["files"]) == (("a",), ("a", "b"))
