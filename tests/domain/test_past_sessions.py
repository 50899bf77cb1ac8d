"""Sessions that began elsewhere: one thread each, and what their agents are told."""

from hypothesis import given
from hypothesis import strategies as st

from domain.agents.past_sessions import MAX_SAID, PastSession, Spoken, end_of, text_of
from domain.core.ids import imported_thread_id, is_thread
from tests.hypothesis_profiles import effort

NAMES = st.text(min_size=1, max_size=40)


@effort(100)
@given(NAMES, NAMES, NAMES, NAMES)
def test_a_session_has_one_thread_and_no_other_has_it(a: str, b: str, c: str, d: str):
    first, second = imported_thread_id(a, b), imported_thread_id(c, d)
    assert is_thread(first)
    assert first == imported_thread_id(a, b)
    assert (first == second) is ((a, b) == (c, d)) or "\0" in a + b + c + d


@effort(50)
@given(st.text(max_size=3 * MAX_SAID))
def test_an_agent_is_told_the_end_of_a_talk_within_bounds(text: str):
    told = end_of(text)
    assert len(told) <= MAX_SAID
    assert text.endswith(told.removeprefix("…") if len(text) > MAX_SAID else told)


def test_a_talk_says_who_spoke():
    talk = (Spoken(is_person=True, text="Hi\n"), Spoken(is_person=False, text="Hello."))
    assert text_of(talk) == "**You**\n\nHi\n\n**Agent**\n\nHello."


@effort(100)
@given(st.text(max_size=2_000), st.text(max_size=100))
def test_what_an_agent_says_of_a_session_is_one_line_within_bounds(title: str, at: str):
    short = PastSession(session_id="s", title=title, updated_at=at).shortened()
    assert "\n" not in short.title
    assert len(short.title) <= 300
    assert len(short.updated_at) <= 40


def test_titles_of_agents_hide_nothing_and_steer_nothing():
    title = "a\x1b[2J\x00\u202e\ud800\nb" + "c" * 1_000_000
    short = PastSession(session_id="s", title=title, updated_at="\x07now\n").shortened()
    assert short.title.startswith("a[U+001B][2J[U+0000][U+202E][U+D800] bccc")
    assert len(short.title) == 300
    assert "\x07" not in short.updated_at
    assert PastSession.model_validate_json(short.model_dump_json()) == short
