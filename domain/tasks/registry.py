"""Where the rules of a task are registered; domain/tasks/rules.py imports all that register some."""

from domain.conversations.rules import CONVERSATION_RULES
from domain.core.kernel import Rules
from domain.tasks.effects import TaskEffect
from domain.tasks.state import TaskState

TASK_RULES = Rules[TaskState, TaskEffect]("a task", extends=CONVERSATION_RULES)
