"""Limits of its model: refusals, a context that is full, answers that stop early."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.agents.limits.rate_limits import read_refusal
from tests.agents.builtin.client import (
    WIRES,
    RefusedError,
)

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it


async def test_a_short_refusal_is_waited_out(agent, play):
    log = play(
        {"error": {"kind": "rate_limit", "retry_after": 1}},
        {"error": "overloaded"},
        {"text": "Hi."},
    )

    assert (await agent.prompt("hi"))["stopReason"] == "end_turn"
    assert len(log()) == 3


@pytest.mark.parametrize("wire", WIRES)
async def test_a_long_refusal_is_reported_with_its_time(agent, play, wire):
    play({"error": {"kind": "rate_limit", "retry_after": 7200, "times": 9}})
    await agent.choose("model", WIRES[wire])
    with pytest.raises(RefusedError) as caught:
        await agent.prompt("hi")

    error = caught.value.error
    assert (error["data"]["errorKind"], error["data"]["status"]) == ("rate_limit", 429)
    now = datetime.now(UTC)
    refusal = read_refusal(f"error {error['code']}: {error['message']} {error['data']}", now)
    assert refusal.retry_at == now + timedelta(hours=2)


async def test_a_wrong_key_is_no_refusal_that_waiting_helps(agent, play):
    play({"error": {"kind": "auth", "times": 9}})
    with pytest.raises(RefusedError) as caught:
        await agent.prompt("hi")

    error = caught.value.error
    assert (error["code"], error["data"]["errorKind"]) == (-32000, "authentication")
    assert read_refusal(f"error {error['code']}: {error['message']}", datetime.now(UTC)) is None


@pytest.mark.parametrize("wire", WIRES)
async def test_a_context_that_overflows_is_compacted_and_the_turn_goes_on(agent, play, stub, wire):
    await agent.choose("model", WIRES[wire])
    play(*({"text": f"step {n}", "calls": [{"read": "a.py"}]} for n in range(4)))
    await agent.prompt("look four times")
    over = ({"error": "overflow"}, {"text": "Went on."})
    play(*over, prompt="go on", default={"text": "SUMMARY OF ALL"})
    answer = await agent.prompt("go on")

    assert answer["stopReason"] == "end_turn"
    assert agent.said().endswith("Went on.")
    last = str(stub.log("test")[-1]["body"])
    assert "SUMMARY OF ALL" in last
    assert "step 0" not in last
    assert "go on" in last


async def test_a_context_that_is_nearly_full_is_compacted_before_it_overflows(agent, play, stub):
    read = {"calls": [{"read": "a.py"}]}
    full = {**read, "usage": {"input": 120_000, "output": 10}}
    play(read, read, full, {"text": "Done."}, default={"text": "IN SHORT"})
    await agent.prompt("look often")

    assert "IN SHORT" in str(stub.log("test")[-1]["body"])
    fills = [update["used"] for update in agent.of_kind("usage_update")]
    assert max(fills) == 120_010
    assert fills[-1] < 10_000


async def test_a_person_can_have_a_conversation_compacted(agent, play, stub):
    play({"text": "a long answer"})
    for number in range(4):
        await agent.prompt(f"question {number}")
    (command,) = (await agent.until(lambda u: "availableCommands" in u))["availableCommands"]
    play({"text": "Yes."}, default={"text": "THE SUMMARY"})
    await agent.prompt(f"/{command['name']} keep the names")
    assert "keep the names" in str(stub.log("test")[-1]["body"])
    await agent.prompt("and now?")

    assert "THE SUMMARY" in str(stub.log("test")[-1]["body"])


@pytest.mark.parametrize(("stop", "reason"), [("length", "max_tokens"), ("refusal", "refusal")])
async def test_a_model_that_stops_early_says_why(agent, play, stop, reason):
    play({"text": "I was about to", "stop": stop})

    assert (await agent.prompt("hi"))["stopReason"] == reason
