"""Refusals of providers, filtered tools and counts, with the real scripted agent process."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.agents.agents import SessionRole
from domain.agents.limits.tool_filters import ToolFilter
from domain.core.errors import AgentError, RefusedByProviderError
from tests.adapters.agent_lab import Recorder, open_lab

SOON = timedelta(minutes=1)


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


def filtered(lab, **lists):
    call = lab.call()
    return call.model_copy(
        update={"turn": call.turn.model_copy(update={"tools": ToolFilter(**lists)})}
    )


async def refused(lab, **more):
    with pytest.raises(RefusedByProviderError) as caught:
        await lab.run(**more)
    return caught.value


async def test_a_refusal_with_its_time_is_told_from_a_failure(lab):
    lab.scenario({"say": "On it."}, {"limit": {"retry_after": 3600}})

    error = await refused(lab)

    assert "Too Many Requests" in error.message
    assert abs(error.retry_at - datetime.now(UTC) - timedelta(hours=1)) < SOON
    assert lab.agents() == []


async def test_a_refusal_in_words_alone_has_no_time(lab):
    lab.scenario({"limit": "You've hit your usage limit. Try again later."})

    assert (await refused(lab)).retry_at is None


async def test_an_agent_that_says_its_limit_as_a_message_is_known_by_its_signs(lab):
    lab.scenario({"say": "You've hit your session limit · resets in 2h"})
    await lab.run()  # without a sign in its profile it is a message like any other

    with_signs(lab, "limit", "you've hit your session limit")
    error = await refused(lab, agent="with-signs")
    assert abs(error.retry_at - datetime.now(UTC) - timedelta(hours=2)) < SOON


async def test_an_agent_that_says_its_failure_as_a_message_is_known_by_its_signs(lab):
    with_signs(lab, "failure", "error: [0-9]+")
    lab.scenario({"say": "Error: 400 the prompt is too long"})
    assert "see its last message" in await lab.fails(agent="with-signs")

    lab.scenario({"say": "Error: 429 rate limit exceeded, try again in 2h"})
    error = await refused(lab, agent="with-signs")
    assert abs(error.retry_at - datetime.now(UTC) - timedelta(hours=2)) < SOON


def with_signs(lab, kind, sign):
    """Give the scripted agent a second profile, which knows how an agent tells of its end."""
    (lab.folder / "config/agents").mkdir(parents=True)
    (lab.folder / "config/agents/with-signs.yaml").write_text(
        "command: ['${treadle}', scripted-agent]\n"
        "set_environment: {TREADLE_SCRIPTED_STATE: '${home}'}\n"
        f'{kind}_signs: ["(I am Treadle\'s .*\\n)?{sign}"]\n'
    )


async def test_a_turn_that_was_refused_goes_on_in_the_agents_session(lab):
    lab.scenario({"write": "a.txt", "text": "1"}, {"limit": {"retry_after": 1}}, {"say": "Done."})
    record = Recorder()
    await refused(lab, record=record)

    answer, _ = await lab.run(
        "# Treadle: interrupted\n\n## What was asked\n\n# Treadle: task a\n\nDo it\n",
        agent_session=record.opened().agent_session,
    )

    assert answer.text.endswith("Done.")


async def test_tool_calls_context_and_commands_are_counted(lab):
    lab.scenario(
        {
            "update": {
                "sessionUpdate": "available_commands_update",
                "availableCommands": [{"name": "compact", "description": "Forget"}],
            }
        },
        {"run": "true"},
        {"run": "false"},
        {"update": {"sessionUpdate": "usage_update", "used": 95_000, "size": 100_000}},
    )

    answer, _ = await lab.run()

    assert (answer.tool_calls, answer.tool_failures) == (2, 1)
    assert (answer.context.used, answer.context.size) == (95_000, 100_000)
    assert answer.compact_command == "compact"


async def test_the_last_message_is_kept_whole(lab):
    lab.scenario({"run": "true"}, {"say": "x" * 9000, "times": 3}, {"say": "end"})
    answer, _ = await lab.run()
    assert answer.text == "x" * 27_000 + "end"


async def test_of_a_message_that_is_too_long_the_end_is_kept(lab):
    lab.scenario({"run": "true"}, {"say": "ä" * 50_000, "times": 3}, {"say": "end"})
    answer, _ = await lab.run()
    assert answer.text.endswith("äend")
    assert 60_000 < len(answer.text.encode()) <= 64 << 10


async def test_a_denied_tool_is_refused_when_the_agent_asks(lab):
    lab.scenario({"ask": "make test", "kind": "execute"}, {"ask": "Edit a.txt", "kind": "edit"})
    record = Recorder()

    await lab.runner.run_turn(filtered(lab, denied=("bash",)), record, lambda: None)

    assert record.notices() == [
        "permission for 'make test': refused",
        "permission for 'Edit a.txt': allowed once",
    ]


async def test_an_agent_that_uses_a_denied_tool_unasked_is_stopped(lab):
    lab.scenario({"run": "touch a.txt"}, {"hang": True})

    with pytest.raises(AgentError, match=r"used 'touch a.txt' unasked"):
        await lab.runner.run_turn(filtered(lab, denied=("execute",)), Recorder(), lambda: None)


async def test_our_own_tools_are_filtered_and_reporting_never(lab):
    lab.scenario(
        {"call": "request_port", "with": {"port_id": "web"}},
        {"call": "report_done", "with": {"summary": "x"}},
    )

    await lab.runner.run_turn(filtered(lab, denied=("mcp:treadle/*",)), Recorder(), lambda: None)

    assert [type(command).__name__ for command in lab.door.sent] == ["ReportDone"]


@pytest.mark.parametrize("role", [SessionRole.TASK_PLANNER, SessionRole.REVIEWER])
async def test_those_who_only_read_are_put_into_the_agents_plan_mode(lab, role):
    lab.scenario({"say": "Mode ${mode}."}, {"ask": "Edit a.txt", "kind": "edit"})

    answer, record = await lab.run(role=role)

    assert "Mode plan." in answer.text
    assert record.notices() == ["permission for 'Edit a.txt': refused"]
