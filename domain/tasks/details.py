"""How a person answers a task, in command lines."""

from domain.conversations.questions.question import QuestionKind
from domain.conversations.questions.state import Questions
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
