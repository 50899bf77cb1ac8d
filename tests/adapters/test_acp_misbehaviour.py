"""Agents that do not start, exit, fall silent or speak garbage: each told in words of its own."""

import sys

import pytest
import yaml

from adapters.acp.limits import TurnLimits
from domain.core.errors import AgentDiedError, AgentError, ContextFullError, LoginNeededError
from tests.adapters.agent_lab import Recorder, open_lab


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


async def test_a_missing_program_is_reported_with_how_to_install_it(lab):
    (lab.folder / "config/agents").mkdir(parents=True)
    profile = {"command": ["no-such-agent"], "install_hint": "Install it with `x`."}
    (lab.folder / "config/agents/mine.yaml").write_text(yaml.safe_dump(profile))

    message = await lab.fails(agent="mine")

    assert "no-such-agent" in message
    assert message.endswith("Install it with `x`.")


async def test_where_our_tools_can_not_be_served_a_turn_fails_and_says_why(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "adapters.tools.protocol", None)
    async with open_lab(tmp_path) as lab:
        lab.scenario({"say": "hi"})
        soon, later = await lab.fails(), await lab.fails()

    for message in (soon, later):
        assert "Treadle's tools can't be served to agents (ModuleNotFoundError" in message
        assert "`treadle doctor`" in message


async def test_an_exit_is_reported_with_its_code_and_last_words(lab):
    lab.scenario({"stderr": "out of luck\n"}, {"exit": 3})
    message = await lab.fails()
    assert "agent 'scripted' failed: it exited with code 3" in message
    assert message.endswith("its standard error ends with:\nout of luck")


async def test_an_exit_at_the_start_is_reported(lab):
    lab.scenario(start={"exit": 4, "stderr": "no licence"})
    message = await lab.fails()
    assert "exited with code 4" in message
    assert "no licence" in message


async def test_an_agent_that_never_answers_is_given_up(lab):
    lab.scenario(start={"hang": True})
    runner = lab.new_runner(initialize=0.3)
    assert "did not answer `initialize`" in await lab.fails(runner=runner)
    assert lab.agents() == []


async def test_another_version_of_the_protocol_is_refused(lab):
    lab.scenario(start={"version": 2})
    assert "speaks version 2 of the Agent Client Protocol" in await lab.fails()


async def test_silence_is_given_up(lab):
    lab.scenario({"hang": True})
    assert "it said nothing for 0.4 s" in await lab.fails(idle=0.4)
    assert lab.agents() == []


async def test_garbage_is_dropped_counted_and_told_once(lab):
    lab.scenario({"garbage": 12}, {"say": "still here"})

    answer, record = await lab.run()

    assert answer.text.endswith("still here")
    [notice] = record.notices()
    assert notice.startswith("dropped of what the agent said: lines that are no messages: 12 ")
    assert "this is not JSON" in notice


async def test_an_endless_line_is_dropped(lab):
    lab.scenario({"garbage": {"bytes": 17 << 20}}, {"say": "after"})
    answer, record = await lab.run()
    assert answer.text.endswith("after")
    assert "lines that are too long: 1 " in record.notices()[0]


async def test_an_endless_turn_is_given_up(lab):
    lab.scenario({"say": "x" * 1000, "times": 1000}, {"hang": True})
    runner = lab.new_runner(limits=TurnLimits(max_turn_bytes=200_000, tick_seconds=0.05))
    assert "more than 200000 bytes" in await lab.fails(runner=runner)


async def test_a_flood_of_standard_error_blocks_nothing(lab):
    lab.scenario({"stderr": 3 << 20}, {"say": "through"})
    answer, _ = await lab.run()
    assert answer.text.endswith("through")


async def test_an_error_answer_is_reported(lab):
    lab.scenario({"error": "no such model"})
    assert "it answered with an error: no such model" in await lab.fails()


async def test_a_failed_session_can_be_used_again(lab):
    lab.scenario(rules=[{"turns": [[{"exit": 3}], [{"say": "well again"}]]}])
    record = Recorder()
    with pytest.raises(AgentError):
        await lab.run(record=record)

    answer, _ = await lab.run("again", agent_session=record.opened().agent_session)

    assert answer.text == "well again"


async def test_a_missing_scenario_is_reported(lab):
    message = await lab.fails()
    assert "there is no scenario at .treadle/scenario.yaml" in message


async def test_a_failing_journal_ends_the_turn(lab):
    lab.scenario({"say": "x"}, {"hang": True})

    async def broken(body):
        if body.kind == "agent_update":
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await lab.runner.run_turn(lab.call(), broken, lambda: None)


async def test_an_error_that_ends_like_a_success_is_known_by_its_sign(lab):
    (lab.folder / "config/agents").mkdir(parents=True)
    profile = {"command": ["${treadle}"], "error_signs": {"_meta.x.status": "systemError"}}
    (lab.folder / "config/agents/mine.yaml").write_text(yaml.safe_dump(profile))
    meta = {"x": {"status": "systemError"}}
    lab.scenario({"update": {"sessionUpdate": "session_info_update", "_meta": meta}})

    assert "after an error of its own" in await lab.fails(agent="mine")


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        ("Prompt is too long", ContextFullError, "an error: Prompt is too long"),
        ("Invalid API key", LoginNeededError, "Set the key of it."),
        ("the worker said worker_shutdown", AgentDiedError, "worker_shutdown"),
    ],
)
async def test_an_error_is_of_the_kind_that_asks_for_the_same(lab, error, kind, words):
    lab.profile("mine", {"command": ["${treadle}"], "login": {"hint": "Set the key of it."}})
    lab.scenario({"error": error})

    with pytest.raises(kind, match=words):
        await lab.run(agent="mine")
