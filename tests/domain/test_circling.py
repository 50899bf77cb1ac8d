"""Turns that go round in circles, flood or never end."""

import hashlib

import pytest

from domain.agents.limits.circling import Bound, Circling, CirclingLimits

LIMITS = CirclingLimits(
    repeats_concern=3,
    repeats_stop=5,
    calls_concern=30,
    calls_stop=60,
    plans_concern=4,
    plans_stop=6,
    updates_concern=200,
    updates_stop=400,
    echoes_concern=0,
    echoes_stop=0,
    seconds_concern=60,
    seconds_stop=120,
    cost_concern=1,
    cost_stop=2,
)


def call(call_id, file="a.txt", status="completed", **more):
    told = {"sessionUpdate": "tool_call", "toolCallId": call_id, "kind": "edit"}
    return {**told, "title": f"Write {file}", "rawInput": {"path": file}, "status": status, **more}


def after(*updates, limits=LIMITS):
    """All verdicts of a turn with these updates, asked for after each."""
    watch = Circling(limits)
    told = []
    for update in updates:
        watch.update(update)
        while (verdict := watch.verdict()) is not None:
            told.append(verdict)
    return [(v.bound, v.is_stop) for v in told]


REPEATED = [(Bound.REPEATS, False), (Bound.REPEATS, True)]


@pytest.mark.parametrize(
    "updates",
    [
        [call(f"c{n}") for n in range(9)],
        [call("the-same-id") for _ in range(9)],
        [call(f"c{n}", file=f"{n % 2}.txt") for n in range(20)],
        [call(f"c{n}", file=f"{n % 4}.txt") for n in range(29)],
        [call("half", status="pending") for _ in range(9)],
        [call("c", kind="other", rawInput=None, content=[]) for _ in range(9)],
    ],
    ids=["new ids", "one id", "two in turn", "four in turn", "never finished", "no input"],
)
def test_equal_calls_in_a_row_are_reported_and_then_end_the_turn(updates):
    assert after(*updates) == REPEATED


def test_an_input_that_comes_later_is_part_of_the_call():
    updates = []
    for n in range(9):
        updates.append(call(f"c{n}", title="Write", rawInput={}, status="pending"))
        done = {"rawInput": {"path": f"{n}.txt"}, "status": "completed"}
        updates.append({"sessionUpdate": "tool_call_update", "toolCallId": f"c{n}", **done})
    assert after(*updates) == []


def test_calls_side_by_side_are_compared_when_their_inputs_are_known():
    begun = [call(f"c{n}", title="Read", rawInput={}, status="pending") for n in range(9)]
    done = [
        {**call(f"c{n}", file=f"{n}.txt"), "sessionUpdate": "tool_call_update"} for n in range(9)
    ]
    assert after(*begun, *done) == []


def test_a_step_that_is_repeated_after_other_work_is_no_circle():
    updates = [u for n in range(9) for u in (call(f"t{n}", "test"), call(f"e{n}", f"{n}.txt"))]
    assert after(*updates) == []


def test_what_a_finished_call_tells_later_is_no_call():
    more = {"sessionUpdate": "tool_call_update", "toolCallId": "c", "content": []}
    assert after(call("c"), *[more] * 9) == []


def test_many_calls_are_reported_and_then_end_the_turn():
    told = after(
        *(call(f"c{n}", f"{hashlib.sha256(bytes([n])).hexdigest()}.txt") for n in range(60))
    )
    assert told == [(Bound.CALLS, False), (Bound.CALLS, True)]


@pytest.mark.parametrize(
    ("kind", "times", "bound"),
    [("plan", 6, Bound.PLANS), ("agent_message_chunk", 400, Bound.UPDATES)],
)
def test_a_flood_is_reported_and_then_ends_the_turn(kind, times, bound):
    assert after(*[{"sessionUpdate": kind}] * times) == [(bound, False), (bound, True)]


def test_time_and_cost_are_bounds_too():
    watch = Circling(LIMITS)
    watch.passed(60)
    assert watch.verdict().message == "this turn has taken 1 min"
    watch.spent(2)
    assert (watch.verdict().bound, watch.verdict().is_stop) == (Bound.COST, False)


def test_a_permission_in_a_circle_is_told_later_than_a_call():
    watch = Circling(LIMITS)
    told = []
    for _ in range(10):
        watch.asked({"title": "Run make"})
        told.append(watch.verdict())
    assert [(n, v.is_stop) for n, v in enumerate(told, 1) if v] == [(6, False), (10, True)]


def test_a_permission_that_is_used_each_time_is_no_circle():
    watch = Circling(LIMITS)
    for n in range(20):
        watch.asked({"title": "Run make"})
        watch.update(call(f"c{n}", f"{n}.txt"))
    assert watch.verdict() is None


def test_a_bound_of_nothing_is_none():
    none = CirclingLimits(**dict.fromkeys(CirclingLimits.model_fields, 0))
    assert after(*[call("c")] * 200, limits=none) == []


def test_the_last_call_is_named():
    watch = Circling(LIMITS)
    for _ in range(3):
        watch.update(call("c"))
    said = "it goes round in circles: the same 3 times in a row; its last call: Write a.txt"
    assert watch.verdict().message == said


def test_silence_of_a_call_that_computes_is_shown_then_told_and_taken_back_each_once():
    watch = Circling(LIMITS)
    watch.update(call("c"))
    times = (59, 60, 61, 299, 300, 301, 0, 1)
    told = [watch.quiet(seconds, is_at_work=True) for seconds in times]
    said = [(v.message, v.is_asking) for v in told if v]
    assert said == [
        ("no output for 60 s; its last call: Write a.txt", False),
        ("no output for 300 s; its last call: Write a.txt", True),
        ("", True),
    ]


def test_silence_of_an_agent_that_rests_is_reported_at_once():
    watch = Circling(CirclingLimits())
    told = [watch.quiet(seconds) for seconds in (59, 60, 61, 300)]
    assert [(v.message, v.is_asking) for v in told if v] == [("no output for 60 s", True)]


GROWING = {
    "growing": [call(f"c{n}", file="a" * (n + 1)) for n in range(40)],
    "numbered": [call(f"c{n}", file=f"part-{n}.txt") for n in range(40)],
    "two in turn": [call(f"c{n}", file="ab"[n % 2] * (n + 1)) for n in range(80)],
}


@pytest.mark.parametrize("updates", GROWING.values(), ids=GROWING)
def test_calls_whose_inputs_grow_or_count_are_reported_by_default(updates):
    assert after(*updates, limits=CirclingLimits()) == [(Bound.ALIKE, False)]


def test_calls_with_inputs_of_their_own_are_not_alike():
    names = [hashlib.sha256(bytes([n])).hexdigest() for n in range(200)]
    told = after(*(call(f"c{n}", name) for n, name in enumerate(names)), limits=CirclingLimits())
    assert told == []


def words(text):
    return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}


def test_the_same_words_or_plan_again_and_again_are_reported_by_default():
    limits = CirclingLimits()
    plan = {"sessionUpdate": "plan", "entries": [{"content": "x", "status": "pending"}]}
    assert after(*[words("again ")] * 299, limits=limits) == []
    assert after(*[words("again ")] * 300, limits=limits) == [(Bound.ECHOES, False)]
    assert after(*[words(f"line {n}") for n in range(300)], limits=limits)[0][0] == Bound.ECHOES
    assert (Bound.ECHOES, False) in after(*[plan] * 300, limits=limits)


def test_words_of_an_answer_are_no_echo():
    said = [words(word) for word in ("the", " sum", " is", " 3", ",", " not", " 4") * 100]
    assert after(*said, limits=CirclingLimits()) == []


def test_noise_is_reported_and_then_ends_the_turn():
    watch = Circling(CirclingLimits())
    told = []
    for times in (999, 1_000, 1_001, 100_000):
        watch.noise(times)
        told.append(watch.verdict())
    assert [(v.bound, v.is_stop) for v in told if v] == [(Bound.NOISE, False), (Bound.NOISE, True)]


def test_the_defaults_tell_a_person_within_a_minute_of_a_call_in_two_seconds():
    limits = CirclingLimits()
    assert max(limits.repeats_concern, limits.alike_concern) * 2 <= 60
    assert max(limits.quiet_shown, limits.quiet_concern) <= 60
    assert limits.echoes_concern / 5 <= 60, "five words in a second"
    bounds = ("repeats", "alike", "calls", "plans", "updates", "echoes", "noise", "seconds")
    assert all(0 < getattr(limits, f"{b}_concern") < getattr(limits, f"{b}_stop") for b in bounds)
