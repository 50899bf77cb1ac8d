"""What ends the work of a task's agent: its report, never past an answer that it has not read.

Either the answer to a decision counts or the report does, and the agent is told which: a report is
refused with the answers that its agent has not read, and beside a decision that is still open. So one
that was taken is verified when the turn ends, and no turn is lost to an answer in between.
"""

from domain.agents.agents import DoneReport
from domain.conversations.questions import deciding
from domain.conversations.questions import events as question_events
from domain.conversations.questions.question import QuestionKind
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.tasks import events as task_events
from domain.tasks.agent_commands import Conclusion, ReportBlocked, ReportDone
from domain.tasks.checks import check_worker
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import TaskState


def unread(command: Conclusion, state: TaskState) -> Decided | None:
    """Return the refusal of a conclusion whose agent has not read what it asked for, else None.

    The refusal tells the answers: with it the agent has read them.
    """
    if not command.reads_answers:
        return None
    given = state.questions.untaken(command.session_id, QuestionKind.DECISION)
    if not given:
        return None
    taken = (
        question_events.AnswerTaken(question_id=answer.question_id, asker=command.turn_id)
        for answer in given
    )
    answers = "\n\n".join(deciding.answer_for_agent(answer) for answer in given)
    words = "Not taken: your question was answered, and you had not read the answer."
    words = f"{words}\n\n{answers}\n\nTake that into account, then call {command.door} again."
    return Decided(tuple(taken), _refused(words))


def too_early(command: Conclusion, state: TaskState) -> Decided | None:
    """Return the refusal of what would count beside a decision of its agent, open or not read."""
    if (refused := unread(command, state)) is not None:
        return refused
    is_open = bool(state.questions.open_of(command.session_id, QuestionKind.DECISION))
    if not is_open or not command.reads_answers:
        return None
    words = (
        "Not taken: a decision that you asked for is still open. End your turn: the answer comes as "
        f"your next message. Call {command.door} again after it."
    )
    return Decided(answer=_refused(words))


def _refused(words: str) -> Answer:
    return Answer(message=words, data={"is_refused": True})


@TASK_RULES.handles
def report_done(command: ReportDone, state: TaskState) -> Decided:
    check_worker(command, state)
    if (refused := too_early(command, state)) is not None:
        return refused
    answer = Answer(message="Reported. Verification runs when this turn ends: end it now.")
    if state.questions.open_of(command.session_id, QuestionKind.DECISION):
        answer = Answer(
            message="A decision that you asked for is still open, so this turn's work is not verified: "
            "end your turn. The answer comes as your next message; report again after it."
        )
    if state.report is not None and not state.is_blocked:
        return Decided(answer=answer)
    return Decided(
        (task_events.ReportReceived(report=DoneReport(summary=command.summary)),), answer
    )


@TASK_RULES.handles
def report_blocked(command: ReportBlocked, state: TaskState) -> Decided:
    check_worker(command, state)
    if (refused := unread(command, state)) is not None:
        return refused
    answer = Answer(message="Reported. A person is asked: end this turn now.")
    if state.is_blocked:
        return Decided(answer=answer)
    report = DoneReport(summary=command.reason)
    return Decided((task_events.ReportReceived(report=report, is_blocked=True),), answer)
