"""The same command id is the same answer, for good; another command with it is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.answered import MAX_ANSWERS, MAX_REPORTS, Answered
from domain.core.command import Answer, Command
from domain.core.errors import KeyReusedError
from domain.core.ids import CommandId, SessionId, TaskId
from domain.tasks.agent_commands import ReportDone
from domain.tasks.running_commands import Pause, Resume, Retry
from tests.hypothesis_profiles import effort

RESUMED = Answer(message="resumed")


def test_a_command_that_comes_again_is_answered_as_before():
    command = Resume(command_id=CommandId("once"), by="ann")
    answered = Answered().after(command, RESUMED)

    assert answered.answer_to(command) == RESUMED
    assert answered.answer_to(command.model_copy(update={"code": "x", "by": "bob"})) == RESUMED
    assert Answered.model_validate_json(answered.model_dump_json()).answer_to(command) == RESUMED


@pytest.mark.parametrize(
    "other",
    [Pause(command_id=CommandId("once")), Retry(command_id=CommandId("once"), task_id=TaskId("a"))],
)
def test_an_id_that_another_command_used_is_refused(other: Command):
    answered = Answered().after(Resume(command_id=CommandId("once")), RESUMED)

    with pytest.raises(KeyReusedError, match="once"):
        answered.answer_to(other)


def test_commands_without_an_id_are_never_taken_for_one_another():
    assert Answered().after(Pause(), RESUMED).answer_to(Pause()) is None


@effort(5)
@given(st.integers(0, 2 * MAX_ANSWERS))
def test_the_newest_answers_are_kept_and_what_needs_no_code_pushes_none_out(count: int):
    answered = Answered()
    ids = [CommandId(str(n)) for n in range(count)]
    for n in ids:
        answered = answered.after(Resume(command_id=n), RESUMED)
        for stop in range(2):
            answered = answered.after(Pause(command_id=CommandId(f"stop-{n}-{stop}")), RESUMED)
        report = ReportDone(command_id=CommandId(f"agent-{n}"), session_id=SessionId("s"))
        answered = answered.after(report, RESUMED)

    assert list(answered.answers) == ids[-MAX_ANSWERS:]
    assert len(answered.stops) == min(2 * count, MAX_ANSWERS)
    assert len(answered.reports) == min(count, MAX_REPORTS)


def test_a_stop_with_the_id_of_a_line_does_not_spoil_the_line():
    answered = Answered().after(Pause(command_id=CommandId("line-resume-7")), RESUMED)

    assert answered.answer_to(Resume(command_id=CommandId("line-resume-7"))) is None
