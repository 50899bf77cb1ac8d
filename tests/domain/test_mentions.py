"""Whom messages mention: names as they are written, and nobody in code, addresses or the words of agents."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import Prompt, PromptName
from domain.conversations.events import AgentUpdate, MessageQueued
from domain.core.event import Headline
from domain.people.mentions import MAX_MENTIONED, names_in
from domain.reading.inbox.mentions import Mention, mention_items, named_by

NAMES = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._+-]{0,20}[A-Za-z0-9])?", fullmatch=True)
PLAIN = st.text(st.characters(exclude_characters="`~@", exclude_categories=["Cs"]), max_size=60)


@given(PLAIN, NAMES, st.sampled_from(["", ".", ",", "!", "?", ")", ":", "…", "’s"]), PLAIN)
def test_a_name_after_a_space_is_a_mention_whatever_follows_the_word(
    before: str, name: str, end: str, after: str
) -> None:
    assert name in names_in(f"{before} @{name}{end} {after}")


@given(st.text(max_size=200), NAMES)
def test_code_mentions_nobody(text: str, name: str) -> None:
    quiet = text.replace("`", "").replace("~", "").replace("@", "")
    for code in (f"`@{name} {quiet}`", f"``{quiet}` @{name}``", f"\n```\n{quiet}\n@{name}\n```\n"):
        assert names_in(f"{quiet} {code} {quiet}") == ()


@given(NAMES, NAMES)
def test_an_address_of_mail_mentions_nobody(name: str, host: str) -> None:
    assert names_in(f"write to {name}@{host}.org") == ()


@given(st.text(max_size=2000))
def test_any_text_is_read_at_once_and_gives_names_that_it_has(text: str) -> None:
    found = names_in(text)
    assert len(found) == len(set(found)) <= MAX_MENTIONED
    assert all(f"@{name}" in text for name in found)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@ann, look", ("ann",)),
        ("(@ann)", ("ann",)),
        ("@ann@example.org and @bo.", ("ann@example.org", "bo.", "bo")),
        ("read @src/app.py and /@ann", ()),
        ("a line\n```py\n@ann\n```\nthen @bo", ("bo",)),
        ("```\n@ann, never closed", ()),
        ("`@ann`, then @bo", ("bo",)),
        ("one ` alone, and @ann", ("ann",)),
        ("@ann @ann", ("ann",)),
        ("ünï@ann", ()),
        ("@", ()),
    ],
)
def test_messages_mention(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


def said(text: str, by: str = "bo", **prompt: object) -> MessageQueued:
    words = Prompt(**{"fields": {"text": text}, "by": by, **prompt})
    return MessageQueued(message_id="m", prompt=words, by=by)


def test_only_words_of_people_mention() -> None:
    assert named_by(said("@ann")) == ("ann",)
    assert named_by(said("@bo")) == ()
    assert named_by(said("@ann", "treadle")) == ()
    assert named_by(said("@ann", "")) == ()
    assert named_by(said("@ann", name=PromptName.FLOW_QUESTION)) == ()
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "@ann"}}
    assert named_by(AgentUpdate(turn_id="t", update=update)) == ()


def mention(number: int, top: str, by: str) -> Mention:
    at = datetime(2026, 1, number, tzinfo=UTC)
    return Mention(event_id=str(number), person="ann", top=top, by=by, at=at)


def test_a_thread_is_one_item_of_who_mentioned_last_and_one_that_is_not_seen_is_none() -> None:
    line = Headline(stream="thread-a", kind="thread", title="Taxes", project="/a", status="open")
    found = [
        mention(3, "thread-a", "bo"),
        mention(2, "thread-a", "cy"),
        mention(1, "thread-b", "bo"),
    ]
    (shown,) = mention_items(found, {"thread-a": line})
    assert (shown.subject, shown.project) == ("bo mentioned you in Taxes", "/a")
    assert shown.since == found[0].at
