"""What threads and tasks cost, by the turns of their sessions."""

from collections.abc import Mapping
from functools import reduce

from domain.conversations.sessions.facts import SessionFacts
from domain.core.money import Money
from domain.tasks.state import TaskState


def money_of(facts: Mapping[str, SessionFacts], below: str) -> Money:
    """Return what sessions cost that are below a stream, with what their running turns took so far."""
    parts = (
        part
        for name, known in facts.items()
        if name.startswith(below)
        for part in (known.stats.money, *(taken.cost for taken in known.running.values()))
    )
    return reduce(Money.plus, parts, Money())


def task_money(run: TaskState, facts: Mapping[str, SessionFacts], stream: str) -> Money:
    """Return what all runs of a task cost; work in a session of the thread has its own turns alone."""
    below = f"{stream}/"
    is_lent = run.worker is not None and not run.session_id.startswith(below)
    return money_of(facts, below).plus(run.stats.money) if is_lent else money_of(facts, below)
