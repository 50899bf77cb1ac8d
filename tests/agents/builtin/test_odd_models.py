"""Model servers that are odd, broken or cut off: nothing is lost, stuck, or done that was not meant."""

import json

import pytest

from tests.agents.builtin.client import ALWAYS, RefusedError
from tests.agents.builtin.raw_model import CUT, answer, calling, event, refusing, summary, text

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it

READ = '{"path": "a.py"}'


@pytest.fixture
async def ask(agent, raw_model):
    """Have the model answer so, one request after the other; returns how the turn ended."""
    await agent.choose("model", "ollama:m")

    async def ask(*answers, prompt="do it"):
        raw_model.play(*answers)
        ended = await agent.prompt(prompt)
        assert raw_model.answers == []
        return ended["stopReason"]

    return ask


async def test_calls_that_share_an_id_are_told_apart_in_one_answer_and_over_answers(agent, ask):
    await ask(
        calling(("read_file", READ, "call_0"), ("read_file", READ, "call_0")),
        calling(("shell", '{"command": "echo hi"}', "call_0")),
        text("Done."),
    )

    titles = ["read_file a.py", "read_file a.py", "`echo hi`"]
    assert agent.statuses() == [(title, "completed") for title in titles]


async def test_a_person_is_asked_for_what_is_done_where_arguments_had_to_be_repaired(agent, ask):
    await ask(calling(("shell", '{"command": "touch made"', "c")), text("Done."))

    assert [asked["toolCall"]["title"] for asked in agent.questions] == ["`touch made`"]
    assert (agent.cwd / "made").exists()


@pytest.mark.parametrize("arguments", ["<<nonsense>>", "[1]", "null"])
async def test_arguments_that_make_no_sense_are_refused_and_the_model_is_reported(
    agent, ask, arguments
):
    await ask(calling(("shell", arguments, "c")), text("Done."))

    assert (agent.questions, agent.said()) == ([], "Done.")


async def test_a_command_that_was_cut_off_is_not_run(agent, ask):
    half = ("shell", '{"command": "touch ma', "c")
    assert await ask(calling(half, finish="length")) == "max_tokens"
    await ask(calling(half, finish=None), text("Done."), prompt="again")

    assert agent.questions == []
    assert [path.name for path in agent.cwd.iterdir()] == ["a.py"]


async def test_an_answer_that_broke_off_is_asked_for_again(agent, ask):
    half = {"content": "half"}
    assert await ask((200, [event(half), CUT]), answer(half, finish=None), text("Whole.")) == (
        "end_turn"
    )

    assert agent.said().endswith("Whole.")


async def test_a_server_that_never_says_why_an_answer_ended_is_believed_the_second_time(ask):
    assert await ask(text("Yes.", finish=None), text("Yes.", finish=None)) == "end_turn"


@pytest.mark.parametrize("nothing", [[], [b"data: [DONE]\n\n"], [b"data: <html>\n\n"]])
async def test_an_answer_without_an_answer_is_asked_for_again(agent, ask, nothing):
    await ask((200, nothing), text("Well."))

    assert agent.said() == "Well."


async def test_a_server_that_is_none_of_a_model_is_told_as_such(ask):
    with pytest.raises(RefusedError, match="no answer that can be read"):
        await ask(*[(200, [b"<html>Log in</html>"])] * 5)


@pytest.mark.parametrize(("end", "seen"), [(r"\ude00b", "😀"), ("b", "�")])
async def test_characters_that_are_cut_in_two_harm_nothing(agent, ask, end, seen):
    halves = [event({"content": "X"}).replace(b"X", part.encode()) for part in (r"a\ud83d", end)]
    await ask((200, [*halves, event({}, "stop")]))
    await ask(text(" On."), prompt="and \ud83d?")

    assert agent.said() == f"a{seen}b On."


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "the request exceeds the available context size"),
        (400, "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000"),
        (400, "Your request exceeded model token limit: 262144"),
        (413, "Request exceeds the maximum size"),
        (429, "Request too large for m on tokens per min (TPM): Limit 10000, Requested 12000"),
    ],
)
async def test_an_overflow_in_words_of_its_own_is_compacted(agent, ask, status, words):
    for number in range(4):
        await ask(text(f"answer {number}"))

    await ask(refusing(status, words), summary("SUMMARY"), text("Went on."))
    assert agent.said().endswith("Went on.")


async def test_an_overflow_that_can_not_be_compacted_is_reported(ask):
    for number in range(4):
        await ask(text(f"answer {number}"))

    with pytest.raises(RefusedError, match="context length of the model is exceeded"):
        await ask(*[refusing(400, "maximum context length is 10 tokens")] * 2)
    with pytest.raises(RefusedError, match="server error at the provider"):
        await ask(refusing(400, "maximum context length is 10 tokens"), *[refusing(500, "no")] * 3)


async def test_a_model_that_calls_wrongly_without_end_is_reported_in_words(ask):
    with pytest.raises(RefusedError, match="called the tool 'no_such' wrongly more than 8 times"):
        await ask(*[calling(("no_such", "{}", "c"))] * 9)


@pytest.mark.parametrize("finish", ["tool_calls", "function_call"])
async def test_an_answer_that_calls_no_tool_though_it_says_so_is_asked_for_again(
    agent, ask, finish
):
    old = {"function_call": {"name": "shell", "arguments": '{"command": "true"}'}}
    await ask(answer(old, finish=finish), text("Done."))

    assert (agent.questions, agent.said()) == ([], "Done.")


async def test_an_empty_answer_is_asked_for_once_more_and_told_then(agent, ask):
    assert await ask(text(""), text("")) == "end_turn"
    assert agent.said() == "The model gave an empty answer, twice."
    await ask(answer({"reasoning_content": "hm"}), text(" Here."), prompt="and now?")
    assert agent.said().endswith(" Here.")


@pytest.mark.parametrize("delta", [{"content": [{"type": "text", "text": "x"}]}, ["x"], "x"])
async def test_what_the_library_can_not_read_is_asked_for_again(agent, ask, delta):
    await ask(answer(delta), text("Well."))

    assert agent.said() == "Well."


async def test_a_model_that_goes_in_circles_is_stopped_and_a_message_goes_on(agent, ask):
    again = [calling(("read_file", '{"path": "none.py"}', f"c{n}")) for n in range(20)]
    assert await ask(*again) == "max_turn_requests"
    assert "the same call 20 times in a row" in agent.said()
    assert await ask(again[0], text("I see."), prompt="it is not there") == "end_turn"


async def test_a_model_that_does_the_same_with_other_results_is_not_stopped(agent, ask):
    more = '{"command": "echo more >> log; wc -l log"}'
    agent.answer = ALWAYS
    assert await ask(*[calling(("shell", more, f"c{n}")) for n in range(25)], text("Done.")) == (
        "end_turn"
    )


async def test_a_refusal_is_reported_with_its_words(agent, ask):
    assert await ask(answer({"refusal": "Not that."})) == "refusal"
    assert agent.said() == "Content filter triggered. Refusal: 'Not that.'"


async def test_a_call_that_gemini_finds_malformed_does_not_end_the_turn(agent, play):
    play({"stop": "MALFORMED_FUNCTION_CALL", "text": ""}, default={"text": "Nothing."})
    await agent.choose("model", "google:stub-1")
    with pytest.raises(RefusedError, match="ended by MALFORMED_FUNCTION_CALL"):
        await agent.prompt("hi")


async def test_a_server_that_tells_no_usage_fills_the_context_all_the_same(agent, ask):
    await ask(text("word " * 4000))

    assert agent.of_kind("usage_update")[-1]["used"] > 2000


async def test_a_usage_that_no_model_can_have_is_not_believed(agent, ask):
    status, chunks = text("word " * 4000)
    usage = {"prompt_tokens": 10**12, "completion_tokens": 10**12, "total_tokens": 2 * 10**12}
    told = f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n".encode()
    await ask((status, [*chunks, told]))

    assert 2000 < agent.of_kind("usage_update")[-1]["used"] < 100_000


async def test_a_file_that_is_not_there_is_a_failed_call(agent, ask):
    await ask(calling(("read_file", '{"path": "none.py"}', "c")), text("Done."))

    assert agent.statuses() == [("read_file none.py", "failed")]
