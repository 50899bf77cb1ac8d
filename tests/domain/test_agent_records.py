"""How agents did: what counts as a trial, and honest numbers of few of them."""

import math
from statistics import median

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.agents.agents import Usage
from domain.conversations.events import AgentSwitched
from domain.core.intervals import Z, wilson
from domain.core.money import Money
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.reading.report.records import ENOUGH, AgentRecord, records_of, versus_of
from domain.reading.report.tally import MILLIONTHS, Tally, Trial, Who
from domain.tasks.events import TaskEnd, TaskEnded, VerificationEnded
from tests.domain.report_lab import T0, counted, opened, reported, step, turn_over
from tests.hypothesis_profiles import effort

PASSED = VerificationEnded(attempt=1, passed=True)
FAILED = VerificationEnded(attempt=1, passed=False)


def over(end=TaskEnd.ACCEPTED):
    return TaskEnded(end=end)


def trials_of(*bodies, who=None):
    told = [(n, body) for n, body in enumerate(bodies)]
    return counted(*told).trials.get(who or Who("claude", "", "code"), [])


def paid(cost, ms=1000, currency="USD"):
    return turn_over(
        usage=Usage(input_tokens=1, output_tokens=1, cost=cost, currency=currency), ms=ms
    )


@given(st.integers(0, 500), st.integers(1, 500))
@effort(60)
def test_the_interval_is_wilsons_its_ends_are_where_the_rate_is_z_deviations_away(successes, cases):
    assume(successes <= cases)
    low, high = wilson(successes, cases)
    rate = successes / cases
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    for end in (low, high):
        away = abs(rate - end)
        assert away == pytest.approx(Z * math.sqrt(end * (1 - end) / cases), abs=1e-6)


def test_intervals_known_from_tables():
    assert wilson(14, 16) == pytest.approx((0.6398, 0.9650), abs=5e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=5e-4)
    assert wilson(0, 0) == (0, 1)


def test_a_run_is_counted_at_its_end_by_its_first_verdict_with_all_turns():
    again = VerificationEnded(attempt=2, passed=True)
    (trial,) = trials_of(opened(), paid(0.2), FAILED, paid(0.3, ms=500), again, over())
    assert trial == Trial(False, 1500, "USD", round(0.5 * MILLIONTHS))
    assert trials_of(opened(), paid(0.2), PASSED) == []


def test_the_owner_of_a_task_is_its_kind_else_its_mode_and_the_model_its_agents():
    task = PlannedTask(id="t", title="t", owner="database")
    body = opened(model="opus").model_copy(update={"task": task})
    assert len(trials_of(body, PASSED, over(), who=Who("claude", "opus", "database"))) == 1


@pytest.mark.parametrize(
    "bodies",
    [
        (over(),),
        (turn_over(), over(TaskEnd.CANCELLED)),
        (VerificationEnded(attempt=1, passed=True, has_steps=False), over()),
        (VerificationEnded(attempt=1, passed=False, held="no reviewer"), over()),
        (step("s", passed=False, is_executed=False), FAILED, over(TaskEnd.FAILED)),
        (AgentSwitched(session_id="s1", agent="codex", by="ann"), PASSED, over()),
    ],
    ids=["no verdict", "aborted", "no steps", "no review", "step not made", "switched"],
)
def test_what_says_nothing_of_the_agent_is_no_trial(bodies):
    found = counted(*[(n, body) for n, body in enumerate((opened(), *bodies))]).trials
    assert not any(found.values())


def test_a_run_that_was_aborted_after_its_verdict_counts_by_that_as_those_that_lost_do():
    (passed,) = trials_of(opened(), paid(0.2), PASSED, over(TaskEnd.CANCELLED))
    (failed,) = trials_of(opened(), paid(0.2), FAILED, over(TaskEnd.CANCELLED))
    assert (passed.has_passed, failed.has_passed) == (True, False)


def test_a_run_that_failed_before_any_verdict_did_not_pass():
    (trial,) = trials_of(opened(), turn_over(failure="died"), over(TaskEnd.FAILED))
    assert (trial.has_passed, trial.cost) == (False, None)


def test_a_switch_after_the_verdict_and_one_to_the_same_agent_change_nothing():
    same = AgentSwitched(session_id="s1", agent="claude", by="ann")
    other = AgentSwitched(session_id="s1", agent="codex", by="ann")
    assert len(trials_of(opened(), same, PASSED, other, over())) == 1


def test_candidates_of_one_task_are_compared_by_their_first_runs():
    def ran(letter, agent, verdict, run=1, **more):
        task = PlannedTask(id=f"app.{letter}", title="t", candidate_of="app")
        session = f"thread-x/app.{letter}/session-{run}"
        told = opened(agent=agent).model_copy(
            update={"task": task, "run": run, "session_id": session, **more}
        )
        return counted(*enumerate((told, verdict, over(TaskEnd.CANCELLED))))

    total = Tally()
    total.include(ran("a", "claude", PASSED))
    total.include(ran("b", "codex", FAILED))
    total.include(ran("b", "codex", PASSED, run=2))
    total.include(
        ran("c", "claude", PASSED, composed=Snapshot(base="b" * 40, commit="c" * 40, tree="d" * 40))
    )
    (versus,) = versus_of(total)
    assert (versus.agent, versus.other, versus.won, versus.lost) == ("claude", "codex", 1, 0)


def test_a_flat_plan_says_nothing_of_what_a_run_cost():
    included = turn_over(usage=Usage(input_tokens=1, output_tokens=1))
    result = included.result.model_copy(update={"money": Money(included=9, included_turns=1)})
    (trial,) = trials_of(opened(), included.model_copy(update={"result": result}), PASSED, over())
    assert trial.cost is None


def test_a_cost_is_known_only_where_every_turn_told_one_in_the_same_currency():
    (unpriced,) = trials_of(opened(), paid(0.2), turn_over(), PASSED, over())
    (mixed,) = trials_of(opened(), paid(0.2), paid(0.2, currency="EUR"), PASSED, over())
    assert (unpriced.cost, mixed.cost) == (None, None)


TRIALS = st.lists(
    st.builds(
        Trial,
        st.booleans(),
        st.integers(0, 10**7),
        st.just("USD"),
        st.none() | st.integers(0, 10**7),
    ),
    max_size=20,
)


@given(TRIALS, TRIALS)
@effort(60)
def test_counts_medians_and_ranges_are_those_of_all_trials_in_whatever_parts_they_were_counted(
    first, second
):
    who = Who("claude", "", "code")
    total = Tally()
    for part in (first, second):
        tally = Tally()
        tally.trials[who] += part
        total.include(tally)
    every = [*first, *second]
    records = {record.kind: record for record in records_of(total)}
    if not every:
        assert all(record.tasks == 0 for record in records.values())
        return
    whole, code = records[""], records["code"]
    assert whole.model_copy(update={"kind": "code"}) == code
    assert whole.tasks == len(every)
    if len(every) < ENOUGH:
        assert whole == AgentRecord(
            agent="claude", tasks=len(every), words=f"only {len(every)} so far"
        )
        return
    passed = sum(trial.has_passed for trial in every)
    times = sorted(trial.took_ms for trial in every)
    costs = [trial.cost / MILLIONTHS for trial in every if trial.cost is not None]
    assert (whole.passed_first, (whole.low, whole.high)) == (passed, wilson(passed, len(every)))
    assert whole.took_ms is not None
    assert (whole.took_ms.median, whole.took_ms.least, whole.took_ms.most) == (
        median(times),
        times[0],
        times[-1],
    )
    assert [span.count for span in whole.costs.values()] == ([len(costs)] if costs else [])


def test_the_words_say_rate_interval_time_and_cost_and_how_many_told_one():
    tally = Tally()
    who = Who("claude", "opus", "code")
    tally.trials[who] += [Trial(True, 360_000, "USD", 400_000)] * 14
    tally.trials[who] += [Trial(False, 360_000, "", None)] * 2
    assert records_of(tally)[0].words == (
        "passes 14 of 16 here (64–97 %), median 6 min, $0.40 (14 of 16 told)"
    )


def test_who_did_the_same_task_at_once_is_compared_pair_by_pair():
    claude, codex, own = Who("claude", "", "code"), Who("codex", "", "test"), Who("treadle", "", "")
    tally, other = Tally(), Tally()
    tally.contests["a"] += [(claude, True), (codex, False)]
    other.contests["a"] += [(own, False)]  # its stream was counted elsewhere
    tally.contests["b"] += [(codex, True), (claude, True)]
    tally.include(other)
    found = {
        (line.agent, line.other): (line.won, line.lost, line.even) for line in versus_of(tally)
    }
    assert found == {
        ("claude", "codex"): (1, 0, 1),
        ("claude", "treadle"): (1, 0, 0),
        ("codex", "treadle"): (0, 0, 1),
    }


def test_the_report_has_the_records_of_its_period():
    task = [(0, opened()), (1, PASSED), (2, over())]
    every = reported(*[task] * 6)
    later = reported(*[task] * 6, since=T0.replace(hour=13))
    assert [(one.kind, one.tasks, one.passed_first) for one in every.records] == [
        ("", 6, 6),
        ("code", 6, 6),
    ]
    assert later.records == ()
