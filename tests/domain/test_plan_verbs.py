"""What people say to a plan in its chat: `/plan VERB`."""

import pytest

from domain.core.errors import InvalidError
from domain.plans.slash_commands import (
    SlashCommand,
    Verb,
    find_slash_name,
    parse_slash_command,
)


@pytest.mark.parametrize(
    ("text", "verb", "words"),
    [
        ("/plan", Verb.GOAL, ()),
        ("/plan Refactor the auth module", Verb.GOAL, ("Refactor the auth module",)),
        ("/plan goal pause the music", Verb.GOAL, ("pause the music",)),
        ("  /plan status ", Verb.STATUS, ()),
        ("/plan auto off", Verb.AUTO, ("off",)),
        ('/plan decide features "auth,logging"', Verb.DECIDE, ("features", "auth,logging")),
        ("/plan retry one", Verb.RETRY, ("one",)),
    ],
)
def test_a_verb_is_read_with_its_words(text: str, verb: Verb, words: tuple[str, ...]):
    assert parse_slash_command(text) == SlashCommand(verb, words)


@pytest.mark.parametrize(
    ("text", "said", "shown"),
    [
        ("/plan decide features auth, logging #0a1b2c3d", "auth, logging", "0a1b2c3d"),
        ("/plan decide features issue #12345678 is it", "issue #12345678 is it", ""),
        ("/plan decide features auth #xyz", "auth #xyz", ""),
        ("/plan goal mend #0a1b2c3d", "mend #0a1b2c3d", ""),
    ],
)
def test_the_answer_to_a_decision_may_say_what_was_shown(text: str, said: str, shown: str):
    command = parse_slash_command(text)
    assert command is not None
    assert (command.words[-1], command.shown) == (said, shown)


@pytest.mark.parametrize("text", ["plan this", "/planning", "look at /plan status", ""])
def test_other_messages_are_no_verb(text: str):
    assert parse_slash_command(text) is None


def test_an_unknown_verb_is_answered_with_the_list():
    with pytest.raises(InvalidError, match=r"there is no verb 'stats'.*/plan status.*/plan retry"):
        parse_slash_command("/plan stats")


@pytest.mark.parametrize("text", ["/plan auto maybe", "/plan decide x", "/plan pause the music"])
def test_words_that_do_not_fit_are_answered_with_the_usage(text: str):
    with pytest.raises(InvalidError, match="say /plan"):
        parse_slash_command(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/nonsense x", "nonsense"),
        ("/plan", "plan"),
        ("/mcp:list", "mcp:list"),
        (" /nonsense x", ""),
        ("/etc/hosts is wrong", ""),
        ("a /word", ""),
        ("/ x", ""),
    ],
)
def test_a_command_is_known_by_its_shape(text: str, name: str):
    assert find_slash_name(text) == name
