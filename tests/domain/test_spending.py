"""What turns take is counted as it was told: of stopped, killed and running ones, for whose it was."""

import pytest

from cli.tasks.session_drawing import took
from domain.agents.agents import StopReason, TurnResult, Usage, UsageSource
from domain.agents.spending import Taken
from domain.conversations.commands import EndTurn
from domain.conversations.events import AgentSwitched, TurnDelayed, TurnEnded, TurnUsageUpdated
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.stats import TaskStats
from domain.reading.task_views import of_run
from domain.tasks import rules
from domain.tasks.running_commands import Abort
from tests.domain.core.tank import NOW
from tests.domain.report_lab import T0, conversation, opened, reported, turn_began
from tests.domain.task_lab import SESSION, after, working

DOLLARS = {"currency": "USD", "source": UsageSource.UNTOLD}
CLAUDES = Taken(
    agent="claude", usage=Usage(cost=0.03, **DOLLARS), tool_calls=7, duration_ms=930_000
)
TOKENS = Usage(input_tokens=16_500, cached_tokens=11_000, output_tokens=630)


def ended(**more):
    return TurnEnded(session_id="s", result=TurnResult(turn_id="t", **more))


def facts(*bodies):
    known = SessionFacts()
    for body in bodies:
        known = known.after(body)
    return known


def seconds(stats):
    return {agent: each.duration_seconds for agent, each in stats.items()}


@pytest.mark.parametrize(
    ("earlier", "later", "told"),
    [
        (Usage(cost=0.1, **DOLLARS), TOKENS, {"cost": 0.1, "source": "turn", "input": 16_500}),
        (TOKENS, TOKENS, {"cost": None, "source": "turn", "input": 33_000}),
        (TOKENS, Usage(cost=2, **DOLLARS), {"cost": 2, "source": "turn", "input": 16_500}),
        (Usage(cost=1, **DOLLARS), Usage(cost=2, **DOLLARS), {"cost": 3, "source": "", "input": 0}),
        (Usage(cost=1, **DOLLARS), Usage(cost=2, currency="EUR"), {"cost": 2, "source": "turn"}),
        (Usage(source=UsageSource.LAST_CALL), TOKENS, {"source": "last_call", "input": 16_500}),
        (TOKENS, None, {"source": "turn", "input": 16_500}),
    ],
)
def test_what_tries_at_a_turn_told_is_added_up(earlier, later, told):
    both = earlier.plus(later)
    known = {"cost": both.cost, "source": both.source, "input": both.input_tokens}
    assert {name: known[name] for name in told} == told


def test_a_running_turn_shows_what_it_took_and_its_end_holds():
    running = facts(TurnUsageUpdated(turn_id="t", taken=CLAUDES))
    over = running.after(ended(agent="claude", usage=TOKENS, duration_ms=940_000))

    assert running.shown["so_far"].costs == {"USD": 0.03}
    assert running.stats == TaskStats()
    assert over.shown["so_far"] == TaskStats()
    assert (over.stats.prompt_tokens, over.stats.duration_seconds) == (16_500, 940)


def test_a_turn_that_was_killed_keeps_what_it_told_last():
    lost = ended(stop_reason=StopReason.CANCELLED)  # its workflow's word, not its worker's
    known = facts(TurnUsageUpdated(turn_id="t", taken=CLAUDES), lost)

    assert (known.stats.tool_calls, known.stats.costs) == (7, {"USD": 0.03})


def test_after_a_switch_in_mid_turn_each_agents_part_stays_its_own():
    known = facts(
        TurnUsageUpdated(turn_id="t", taken=CLAUDES),
        TurnDelayed(
            session_id="s",
            turn_id="t",
            provider="p",
            reason="r",
            until=T0,
            refusals=1,
            taken=CLAUDES,
        ),
        AgentSwitched(session_id="s", agent="codex", model="o"),
        TurnUsageUpdated(turn_id="t", part=1, taken=Taken(agent="codex", model="o", duration_ms=1)),
        ended(agent="codex", model="o", part=1, usage=TOKENS, duration_ms=2000),
    )

    assert seconds(known.by_agent) == {"claude": 930, "codex o": 2}
    assert known.stats.duration_seconds == 932


def test_the_report_counts_a_turn_for_the_agent_that_made_it():
    made = TurnResult(turn_id="turn", duration_ms=930_000, agent="claude", usage=CLAUDES.usage)
    of_task = [
        (0, opened(agent="claude")),
        (1, turn_began()),
        (2, AgentSwitched(session_id="s1", agent="codex")),
        (3, TurnEnded(session_id="s1", result=made)),
    ]
    line, *others = reported(of_task).by_agent
    assert (line.agent, line.turns, line.work_ms, line.costs) == (
        "claude",
        1,
        930_000,
        {"USD": 0.03},
    )
    assert not others


def test_the_report_counts_the_part_before_a_refusal_and_no_turn_for_it():
    delayed = TurnDelayed(
        session_id="s", turn_id="t", provider="p", reason="r", until=T0, refusals=1, taken=CLAUDES
    )
    talk = [
        (0, conversation("chat", "claude")),
        (1, delayed),
        (2, AgentSwitched(session_id="s", agent="codex")),
        (3, ended(agent="codex", usage=TOKENS)),
    ]
    found = {line.agent: (line.turns, line.tool_calls) for line in reported(talk).by_agent}
    assert found == {"claude": (0, 7), "codex": (1, 0)}


def test_a_task_that_was_aborted_counts_the_turn_that_ran():
    task = after(working(), Abort())
    result = TurnResult(
        turn_id=task.cut_short.turn_id,
        stop_reason=StopReason.CANCELLED,
        agent="a",
        usage=TOKENS,
        duration_ms=1_567_000,
        tool_calls=7,
    )
    late = after(task, EndTurn(result=result))

    assert task.end == late.end is not None
    assert (late.stats.duration_seconds, late.stats.tool_calls, late.work_ms) == (
        1567,
        7,
        1_567_000,
    )
    assert late.phase == task.phase
    assert not rules.decide(late, EndTurn(result=result), NOW).events


def test_the_times_of_a_task_and_its_session_agree_where_its_worker_was_lost():
    task = after(working(), Abort())
    told = TurnUsageUpdated(turn_id=task.cut_short.turn_id, taken=CLAUDES)
    shown = of_run(task, {SESSION: facts(told)}, "thread/task")

    (session,) = shown["sessions"]
    assert session.stats == shown["stats"]
    assert (session.stats.duration_seconds, session.so_far) == (930, TaskStats())


def test_cached_tokens_are_shown():
    stats = TaskStats().plus(Taken(usage=TOKENS))
    assert took(stats).startswith("16,500 tokens in (11,000 cached), 630 out")
    assert "cached" not in took(TaskStats(prompt_tokens=1))
