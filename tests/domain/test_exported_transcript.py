"""A turn as Markdown: nothing that an agent told of its work is left out."""

from domain.reading.exports.transcript import Transcript


def test_an_agents_plan_stands_between_its_words():
    transcript = Transcript()
    said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "First."}}
    entries = [{"content": "read `a`", "status": "completed"}, {"content": "edit"}, "no entry"]

    told = [*transcript.tell(said), *transcript.tell({"sessionUpdate": "plan", "entries": entries})]

    assert "First." in told[0]
    assert told[1:] == ["- plan [x] `` read `a` ``\n", "- plan [ ] `edit`\n"]
