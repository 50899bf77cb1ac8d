"""How a person answers a task or a session, in command lines, and where a session stands."""

from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.state import Questions
from domain.conversations.sessions.state import SessionState
from domain.core.ids import ThreadId
from domain.core.listing import waiting_lines
from domain.core.text import counted
from domain.tasks.state import TaskState


def answers_of(state: TaskState, where: str) -> list[str]:
    """Return the command lines that answer what a task asks; `where` names it, the work by its thread."""
    if state.questions.open:
        return question_answers(state.questions, where.partition(" ")[0])
    if state.request is not None:
        return [f"treadle approve {where}", f"treadle reject {where} --feedback TEXT"]
    thread, _, task = where.partition(" ")
    to = f"-t {task} " if task else ""
    return [f'treadle say {thread} {to}"TEXT"', f"treadle abort {where}"]


def question_answers(questions: Questions, thread: str) -> list[str]:
    """Return the command lines that answer the first open question."""
    first = next(iter(questions.open.values()))
    if first.kind is QuestionKind.PERMISSION:
        return [
            f"treadle allow {thread} {first.question_id}",
            f"treadle deny {thread} {first.question_id}",
        ]
    return [f"treadle decide {thread} {first.question_id} OPTION"]


def session_details(state: SessionState, thread_id: ThreadId) -> str:
    """Return where a session stands, and how what it asks is answered."""
    talk, delay, asked = state.conversation, state.delay, state.questions.waiting_for
    held = f", waits for {delay.provider} until {delay.until}" if delay else ""
    turns = counted(talk.turns, "turn")
    stands = f"{talk.role} session with {talk.agent}: {state.status}, {turns}{held}"
    if not asked:
        return stands
    answers = question_answers(state.questions, thread_id)
    return "\n\n".join((stands, "\n".join(waiting_lines(asked, thread_id, answers))))
