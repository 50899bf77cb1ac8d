"""What Temporal shows in clear: bounded, on one line, of every activity, and without what may not be read."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import queues  # noqa: F401  (knows every activity's input)
from domain.conversations.calls import TurnCall
from domain.core.checks import Check
from domain.core.effects import CodeCheck, Effect
from domain.core.ids import thread_id
from domain.core.listing import Listing, listed_status, project_name
from domain.core.secret_forms import without_split_secrets
from domain.core.summaries import MAX_BYTES, Summarized, bounded, last_part, listed, title_line
from domain.threads.details import thread_details
from domain.threads.lifecycle.state import Lifecycle
from domain.threads.state import ThreadState
from domain.verification.calls import StepCall
from domain.verification.steps import VerificationStep

MAX_SUMMARY_BYTES = 400
"""What Temporal takes of a summary, as JSON."""


def all_of(kind: type[Summarized]) -> list[type[Summarized]]:
    return [each for child in kind.__subclasses__() for each in (child, *all_of(child))]


@pytest.mark.parametrize("kind", [k for k in all_of(Summarized) if k not in {Effect, Check}])
def test_every_input_of_an_activity_says_what_it_is_about(kind: type[Summarized]):
    assert kind.summary is not Summarized.summary


@given(st.text())
def test_a_summary_is_one_line_that_temporal_takes(text: str):
    shown = bounded(text)
    assert shown.isprintable()
    assert len(shown.encode()) <= MAX_BYTES
    assert len(json.dumps(shown, ensure_ascii=False).encode()) < MAX_SUMMARY_BYTES
    assert bounded(shown) == shown


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1)))
def test_a_list_names_three_and_counts_the_rest(names: list[str]):
    told = listed(names)
    more = len(set(names)) - 3
    assert told.endswith(f" and {more} more") is (more > 0)


TOKEN = "ghp_" + "Ab1" * 12
BETWEEN = ("\n", "\r\n", "⏎", "\u00ad", "\u200b", "\u2028", "\ufe0f", "\n\x1b[0m\u2060")
KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    "text",
    [
        f"Use {TOKEN}",
        f"{'word ' * 14}{TOKEN}",  # the limit of a title is in its midst
        f"Use {TOKEN[:9]}\x1b[31m{TOKEN[9:]}",
        f"{KEY} is the key",
        *(f"Use {TOKEN[:4]}{between}{TOKEN[4:]}" for between in BETWEEN),
        *(f"Use {TOKEN[:30]}{between}{TOKEN[30:]} now" for between in BETWEEN),
        f"my_{TOKEN} and token{TOKEN}",
    ],
)
def test_nothing_in_clear_looks_like_a_secret(text: str):
    names: dict[str, str] = dict.fromkeys(("agent", "look"), text)
    listing = Listing(kind="thread", status="open", title=title_line(text), **names)
    state = ThreadState(lifecycle=Lifecycle(topic=text))
    for shown in (
        *(bounded(text), title_line(text), listing.shown_title, listing.details),
        *(*listing.keywords.values(), thread_details(state)),
    ):
        assert "Ab1" not in shown
        assert "MIIE" not in shown


def test_a_secret_is_found_in_the_line_that_is_shown():
    assert bounded(f"Bearer\x01{TOKEN[4:]}") == "Bearer [redacted:authorization]"


def test_what_surrounds_a_divided_secret_stays():
    text = f"one\ntwo {TOKEN[:9]}\n{TOKEN[9:]} three\nBearer \n{TOKEN[4:]}⏎,"
    assert without_split_secrets(text) == (
        "one\ntwo [redacted:github-token] three\nBearer \n[redacted:authorization]⏎,"
    )


def test_lines_that_divide_no_secret_stay():
    text = "use\nsk-learn\nghp_\u00ad\nglpat-\ntokens"
    assert without_split_secrets(text) == text


@pytest.mark.parametrize(
    "unit", ["ghp_\n", "sk-\n", "xoxb-⏎", "glpat-\u00ad", "://a\n:", "\x1b]\n"]
)
def test_finding_divided_secrets_takes_time_in_proportion(unit: str):
    text = unit * 40_000
    began = time.process_time()
    without_split_secrets(text)
    assert time.process_time() - began < 10


def test_an_id_has_no_words_of_a_secret():
    assert thread_id("Use AKIAABCDEFGHIJKLMNOP now", "1") == "thread-use-redacted-aws-key-id-now-1"


def test_names_are_those_that_people_know():
    assert last_part("thread-a/task-1/session-2") == "session-2"
    assert last_part("/home/ada/app/") == "app"
    assert project_name("/home/ada/app/") == "app"


def test_a_step_is_called_by_its_label_and_never_by_its_command():
    step = VerificationStep(id="step-1", type="command", command="TOKEN=secret make")
    call = StepCall.model_construct(step=step, attempt=2)
    named = StepCall.model_construct(
        step=step.model_copy(update={"label": "unit tests"}), attempt=2
    )
    copied = StepCall.model_construct(
        step=step.model_copy(update={"label": "TOKEN=secret…"}), attempt=2
    )
    assert call.summary == copied.summary == "verify: step-1, attempt 2"
    assert named.summary == "verify: unit tests, attempt 2"


def test_a_code_is_no_part_of_a_summary():
    check = CodeCheck(
        workflow_id="t", request_id="t/gate-1", choice="approve", content_hash="h", code="c0de"
    )
    assert check.summary == "check the code of gate-1"
    assert TurnCall.summary.fget is not None


def test_what_waits_for_a_person_needs_you():
    assert listed_status("running", "approval of the plan") == "needs you"
    assert listed_status("running", "") == "running"


@given(st.text(max_size=4_000), st.text(max_size=300))
def test_a_listing_fits_temporal_whatever_it_is_called(title: str, person: str):
    made = Listing(kind="thread", status="open", title=title, person=person, look="treadle show t")
    assert len(made.shown_title.encode()) <= MAX_BYTES
    assert all(0 < len(value) <= 160 for value in made.keywords.values())
    assert len(made.details) < 2_000
