"""What providers' refusals look like, when they end, how long to wait else, and who tries next."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.limits.rate_limits import (
    BASE,
    CAP,
    PROBE,
    SHORTEST,
    Breaker,
    backoff,
    read_message,
    read_refusal,
)
from domain.agents.limits.reset_times import LONGEST, reset_time

PARIS = timezone(timedelta(hours=1))
NOW = datetime(2026, 11, 22, 5, 0, tzinfo=PARIS)

TOLD = {
    # Claude Code
    "Claude AI usage limit reached|1795330800": datetime(2026, 11, 22, 7, 0, tzinfo=UTC),
    "You've hit your session limit · resets 10:30pm (Europe/Berlin)": NOW.replace(
        hour=22, minute=30
    ),
    "You've hit your limit · resets 3pm (America/Bogota)": datetime(2026, 11, 22, 20, tzinfo=UTC),
    "You've hit your limit · resets Nov 23 at 4pm (America/Recife)": datetime(
        2026, 11, 23, 19, tzinfo=UTC
    ),
    "Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).": datetime(
        2026, 11, 22, 18, tzinfo=UTC
    ),
    'API Error (429 {"type":"error","error":{"type":"rate_limit_error"}}) · Retrying in 2892 seconds…': (
        NOW + timedelta(seconds=2892)
    ),
    # Codex
    "You've hit your usage limit. Upgrade to Pro (https://x.example) or try again in 5 days 22 hours 11\nminutes.": (
        NOW + timedelta(days=5, hours=22, minutes=11)
    ),
    "You've hit your usage limit. Visit https://x.example to purchase more credits or try again at 3:28 PM.": (
        NOW.replace(hour=15, minute=28)
    ),
    "You've hit your usage limit, try again at Dec 8th, 2026 12:30 PM.": datetime(
        2026, 12, 8, 12, 30, tzinfo=PARIS
    ),
    "You've hit your usage limit. Try again Dec 1.": datetime(2026, 12, 1, tzinfo=PARIS),
    "Rate limit reached for gpt-x on tokens per min. Please try again in 20ms. status 429": (
        NOW + timedelta(milliseconds=20)
    ),
    # Gemini
    "You have exhausted your capacity on this model. Your quota will reset after 18h31m10s.": (
        NOW + timedelta(hours=18, minutes=31, seconds=10)
    ),
    'error 429: {\\"message\\": \\"Quota exceeded for metric x\\\\nPlease retry in 47.5s.\\"}': (
        NOW + timedelta(seconds=47.5)
    ),
    '{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"RetryInfo","retryDelay":"34s"}]}': (
        NOW + timedelta(seconds=34)
    ),
    # OpenCode and the providers' own fields
    'AI_APICallError: Too Many Requests {"statusCode":429,"responseHeaders":{"retry-after":"30"}}': (
        NOW + timedelta(seconds=30)
    ),
    '429 {"retry-after-ms": 1500}': NOW + timedelta(seconds=1.5),
    "429 retry-after: Sun, 22 Nov 2026 06:00:00 GMT": datetime(2026, 11, 22, 6, tzinfo=UTC),
    'usage_limit_reached {"plan_type":"plus","resets_in_seconds":7200}': NOW + timedelta(hours=2),
    'usage_limit_reached {"resets_at": 1795330800}': datetime(2026, 11, 22, 7, tzinfo=UTC),
    "rate limit: resets at 2026-11-22T07:00:00.000Z": datetime(2026, 11, 22, 7, tzinfo=UTC),
    "rate limit exceeded, retry at 2026-11-22 07:00:00": datetime(2026, 11, 22, 7, tzinfo=PARIS),
}


@pytest.mark.parametrize(("said", "then"), TOLD.items())
def test_the_time_that_a_provider_tells_is_understood(said, then):
    refusal = read_refusal(said, NOW)
    assert refusal is not None
    assert refusal.retry_at == then


@pytest.mark.parametrize(
    "said",
    [
        "exceeded retry limit, last status: 429 Too Many Requests, request id: fdde60d4-2b94-49f9",
        "You've hit your usage limit. Try again later.",
        "You exceeded your current quota, please check your plan and billing details.",
        "Internal error: {'errorKind': 'rate_limit'}",
        "API Error: 529 Overloaded",
        "unexpected status 503 Service Unavailable",
        "TypeError: fetch failed",
        "Claude AI usage limit reached|1000000000",
        "rate limit; resets 3pm (Mars/Olympus)",
    ],
)
def test_a_refusal_without_a_usable_time_is_one_all_the_same(said):
    refusal = read_refusal(said, NOW)
    assert refusal is not None
    assert refusal.retry_at is None


@pytest.mark.parametrize(
    "said",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Your input exceeds the context window of this model.",
        "This model's maximum context length is 128000 tokens. Your messages reached the limit.",
        "error -32603: the request exceeds the available context size, increase it",
        "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000",
        "Your request exceeded model token limit: 262144",
        "error 429: Request too large for m on tokens per min (TPM): Limit 10000, Requested 12000",
        "prompt token count of 128001 exceeds the limit of 128000",
        "Invalid API key · Please run /login",
        "the scenario .treadle/scenario.yaml can't be played",
        "Method not found",
    ],
)
def test_what_waiting_does_not_fix_is_no_refusal(said):
    assert read_refusal(said, NOW) is None


def test_a_message_counts_by_its_agents_signs_and_only_from_its_beginning():
    signs = (r"you've hit your \w* ?limit",)
    assert read_message("You've hit your session limit · resets 3pm", signs, NOW) is not None
    assert read_message("I added a test for 'You've hit your limit'.", signs, NOW) is None
    assert read_message("You've hit your session limit", (), NOW) is None


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("16:23:00", "16:24:00"),
        ("16:23:59", "16:24:00"),
        ("16:22:59", "16:23:00"),
        ("16:24:30", None),
        ("16:27:59", None),
    ],
)
def test_a_time_that_is_reported_in_its_own_minute_is_not_tomorrow(now, then):
    day = NOW.date()
    moment = datetime.fromisoformat(f"{day}T{now}").replace(tzinfo=PARIS)
    told = datetime.fromisoformat(f"{day}T{then}").replace(tzinfo=PARIS) if then else None
    assert reset_time("try again at 4:23 PM", moment) == told


def test_a_time_just_before_midnight_is_not_the_next_midnights():
    assert reset_time("try again at 11:59 PM", NOW.replace(hour=0, minute=2)) is None


def test_a_time_that_is_long_past_is_tomorrows():
    now = NOW.replace(hour=16, minute=30)
    then = NOW.replace(hour=16, minute=23) + timedelta(days=1)
    assert reset_time("try again at 4:23 PM", now) == then


@given(st.text(max_size=300) | st.text("resetryainmwtulfch|0123456789:. -/,", max_size=200))
def test_whatever_is_said_a_time_is_ahead_and_not_too_far(said):
    found = reset_time(f"reset {said}", NOW)
    assert found is None or NOW < found <= NOW + LONGEST


@given(st.integers(1, 3 * 86_400))
def test_a_span_in_any_spelling_is_that_span(seconds):
    hours, rest = divmod(seconds, 3600)
    short = f"{hours}h{rest // 60}m{rest % 60}s"
    long = f"{hours} hours, {rest // 60} minutes and {rest % 60} seconds"
    for span in (short, long, f"{seconds}s", f"{seconds} seconds"):
        assert reset_time(f"try again in {span}", NOW) == NOW + timedelta(seconds=seconds)


@given(st.integers(0, 10_000), st.floats(0, 1, exclude_max=True))
def test_backoff_stays_between_its_ends(refusals, roll):
    assert SHORTEST <= backoff(refusals, roll) <= CAP


@given(st.integers(1, 100), st.floats(0, 1, exclude_max=True))
def test_backoff_grows_with_refusals_up_to_twice(refusals, roll):
    less, more = backoff(refusals, roll), backoff(refusals + 1, roll)
    assert less <= more <= max(2 * less + timedelta(microseconds=1), SHORTEST)
    assert backoff(1, roll) <= BASE


def test_turns_do_not_all_come_back_at_once():
    assert len({backoff(8, roll / 100) for roll in range(100)}) > 90


def test_an_open_breaker_blocks_until_its_time_then_lets_one_turn_try():
    until = NOW + timedelta(hours=1)
    opened = Breaker().refused(until)
    assert opened.blocked_until("a", NOW) == until

    trying = opened.entered("a", until)
    assert trying.blocked_until("a", until) is None
    assert trying.blocked_until("b", until) == until + PROBE + SHORTEST
    assert trying.blocked_until("b", until + PROBE + SHORTEST) is None
    assert trying.left("a").blocked_until("b", until) is None
    assert trying.left("b") == trying


def test_a_turn_that_ends_closes_the_breaker():
    opened = Breaker().refused(NOW + timedelta(hours=1))
    assert opened.worked().blocked_until("b", NOW) is None
    assert opened.worked().refusals == 0


@given(st.lists(st.integers(0, 100_000), min_size=1))
def test_a_refusal_never_shortens_the_wait(waits):
    breaker = Breaker()
    for wait in waits:
        breaker = breaker.refused(NOW + timedelta(seconds=wait))
    assert breaker.open_until == NOW + timedelta(seconds=max(waits))
    assert breaker.refusals == len(waits)
