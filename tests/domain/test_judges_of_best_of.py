"""An agent's opinion of the work of several: with reasons, without names, and never a decision."""

from domain.agents.agents import PromptName
from domain.conversations.reports import EndSessionTurn
from domain.core.ids import TaskId
from domain.threads import rules
from domain.threads.contests.judging import in_no_order
from domain.threads.contests.state import Opinion
from domain.threads.effects import DeliverPrompt
from tests.domain.contest_lab import ContestLab


def judged() -> ContestLab:
    best_of = {"agents": ["claude", "codex"], "judge": "gemini:pro"}
    lab = ContestLab(task={"best_of": best_of})
    lab.passes("a")
    lab.passes("b")
    return lab


def opinion(lab: ContestLab) -> Opinion:
    found = lab.contest.opinion
    assert found is not None
    return found


def ends(lab: ContestLab, text: str = "", failure: str | None = None) -> EndSessionTurn:
    return EndSessionTurn(session_id=opinion(lab).session_id, turn=1, text=text, failure=failure)


def test_it_is_asked_about_all_that_passed_and_does_not_know_who_did_what() -> None:
    lab = judged()

    session = lab.state.sessions[opinion(lab).session_id]
    told = [e for e in rules.effects(lab.state) if isinstance(e, DeliverPrompt)]
    [prompt] = [e.prompt for e in told if e.session_id == session.session_id]

    assert (session.role, session.agent, session.model) == ("reviewer", "gemini", "pro")
    assert prompt is not None
    assert prompt.name is PromptName.JUDGE
    text = " ".join(prompt.fields.values())
    for letter in "ab":
        progress = lab.entry(letter).progress
        assert progress is not None
        assert f"{progress.commit}" in text
    assert not [name for name in ("claude", "codex", "app.a", "app.b") if name in text]
    assert set(opinion(lab).order) == {"app.a", "app.b"}


def test_the_order_follows_from_the_request_alone() -> None:
    names = [TaskId(f"app.{letter}") for letter in "abc"]
    orders = {in_no_order(names, f"request-{n}") for n in range(20)}

    assert len(orders) > 1
    assert in_no_order(reversed(names), "x") == in_no_order(names, "x")


def test_its_opinion_takes_nothing_and_its_session_is_closed() -> None:
    lab = judged()

    lab.send(ends(lab, "I would take work 1: it has tests."))

    assert opinion(lab).text == "I would take work 1: it has tests."
    assert lab.contest.taken is None
    assert lab.asked is not None
    assert lab.state.sessions[opinion(lab).session_id].is_archived
    judges = [s for s in lab.state.sessions.values() if s.role == "reviewer"]
    assert len(judges) == 1, "it is asked once for a table"


def test_its_failure_holds_nothing_up() -> None:
    lab = judged()

    lab.send(ends(lab, failure="it has no quota"))

    assert opinion(lab).failure == "it has no quota"
    lab.take("a")
    assert lab.contest.taken == "app.a"


def test_it_is_dismissed_once_one_was_taken() -> None:
    lab = judged()

    lab.take("a")

    assert lab.state.sessions[opinion(lab).session_id].is_archived
    assert "before it answered" in opinion(lab).failure


def test_one_work_alone_is_not_judged() -> None:
    lab = ContestLab(task={"best_of": {"agents": ["claude", "codex"], "judge": "gemini"}})
    lab.passes("a")
    lab.fail(lab.name("b"))

    assert lab.contest.opinion is None
