"""The table of charges, a row for each part of a turn, and the limits that people set over the settings."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    Table,
    Text,
    and_,
    case,
    func,
    or_,
    select,
    text,
)

from adapters.journal.rows import event_of
from adapters.journal.tables import DIALECTS, EVENTS, METADATA, NAME
from domain.agents.ledger import TurnEntry
from domain.agents.limits.money import Account, Limited, LimitScope
from domain.conversations.events import TurnEnded
from domain.core.money import Money
from domain.plans.estimates import PastTask

RESERVED, SETTLED, WAITING = "reserved", "settled", "waiting"

CHARGES = Table(
    "charges",
    METADATA,
    Column("key", NAME, primary_key=True),
    Column("turn", NAME, nullable=False, index=True),
    Column("owner", NAME, nullable=False),
    Column("thread", NAME, nullable=False, index=True),
    Column("root", NAME, nullable=False, index=True),
    Column("task", NAME, nullable=False, index=True),
    Column("project", Text, nullable=False),
    Column("month", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("work", Text, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("entry", Text, nullable=False, server_default=""),
    Column("reserved", BigInteger, nullable=False, server_default="0"),
    Column("told", BigInteger, nullable=False, server_default="0"),
    Column("priced", BigInteger, nullable=False, server_default="0"),
    Column("included", BigInteger, nullable=False, server_default="0"),
    Column("included_turns", Integer, nullable=False, server_default="0"),
    Column("unknown", Integer, nullable=False, server_default="0"),
    Column("prices", Text, nullable=False, server_default=""),
    Index("charges_of_month", "month", "project"),
    Index("charges_like", "agent", "project", "at"),
)
"""Amounts are millionths of a US dollar; `entry` is what a waiting row asks for, as JSON.

The `key` says nothing of the turn: its row stays, without names, when its thread is deleted.
"""

MONEY_LIMITS = Table(
    "money_limits",
    METADATA,
    Column("key", NAME, primary_key=True),
    Column("millionths", BigInteger),
)
"""What people set: by the key of a scope, or `project` and `month` for those that are not named; null is no limit."""

_PAST = 5_000
"""Rows of tasks from which plans are estimated, the newest."""

_ENDS = 20
"""Ends of turns among which one that waited is looked for."""

_LIKE = 50
"""Turns from which it is expected what the next one costs."""


def row_key(entry: TurnEntry) -> str:
    """Return the key of a part of a turn."""
    return sha256(entry.key.encode()).hexdigest()[:40]


def scopes_of(entry: TurnEntry, month: str) -> tuple[LimitScope, ...]:
    """Return all that a turn counts for."""
    thread = entry.limits.thread or entry.thread
    found = [
        LimitScope(kind=Limited.THREAD, name=thread),
        LimitScope(kind=Limited.PROJECT, name=entry.project, month=month),
        LimitScope(kind=Limited.MONTH, name=month),
    ]
    task = [LimitScope(kind=Limited.TASK, name=entry.task)] if entry.task else []
    return (*task, *(scope for scope in found if scope.name))


def _within(scope: LimitScope) -> ColumnElement[bool]:
    match scope.kind:
        case Limited.TASK:
            return CHARGES.c.task == scope.name
        case Limited.THREAD:
            return CHARGES.c.root == scope.name
        case Limited.PROJECT:
            return and_(CHARGES.c.month == scope.month, CHARGES.c.project == scope.name)
        case Limited.MONTH:
            return CHARGES.c.month == scope.name


def account_of(at: Connection, scope: LimitScope, limit: int) -> Account:
    """Return how a limit stands."""
    is_reserved = CHARGES.c.state == RESERVED
    sums = select(
        func.coalesce(func.sum(CHARGES.c.told + CHARGES.c.priced), 0),
        func.coalesce(func.sum(case((is_reserved, CHARGES.c.reserved), else_=0)), 0),
        func.coalesce(func.sum(case((is_reserved, 1), else_=0)), 0),
        func.coalesce(func.sum(CHARGES.c.unknown), 0),
    ).where(_within(scope))
    settled, reserved, running, unknown = (int(n) for n in at.execute(sums).one())
    return Account(scope, limit, settled, reserved, running, unknown)


def expected_cost(at: Connection, entry: TurnEntry, otherwise: int) -> int:
    """Return what a turn will likely not pass: nine of ten of its agent's in this repository, else anywhere."""
    if entry.is_included:
        return 0
    paid = CHARGES.c.told + CHARGES.c.priced
    like = [CHARGES.c.agent == entry.agent, CHARGES.c.state == SETTLED, paid > 0]
    for more in ([CHARGES.c.project == entry.project], []):
        newest = select(paid).where(*like, *more).order_by(CHARGES.c.at.desc()).limit(_LIKE)
        known = sorted(int(cost) for cost in at.scalars(newest))
        if known:
            return known[(9 * len(known) - 1) // 10]
    return otherwise


def put_row(at: Connection, entry: TurnEntry, month: str, state: str, **more: Any) -> None:
    """Write the row of a part of a turn, in the place of an earlier one."""
    row = {
        "key": row_key(entry),
        "root": entry.limits.thread or entry.thread,
        "month": month,
        "at": datetime.now(UTC).isoformat(timespec="microseconds"),
        "state": state,
        "entry": entry.model_dump_json() if state == WAITING else "",
        **entry.model_dump(include={"turn", "owner", "thread", "task", "project"}),
        **entry.model_dump(include={"agent", "model", "work"}),
        **more,
    }
    insert = DIALECTS[at.dialect.name].insert(CHARGES).values(row)
    at.execute(insert.on_conflict_do_update(index_elements=["key"], set_=row))


def drop_waiting(at: Connection, entry: TurnEntry) -> None:
    """Forget that a turn waits: it asks again, or has ended, or its owner, who has one at a time, has gone on."""
    mine = or_(CHARGES.c.turn == entry.turn, CHARGES.c.owner == entry.owner)
    at.execute(CHARGES.delete().where(mine, CHARGES.c.state == WAITING))


def drop_rows(at: Connection, keys: Collection[str]) -> None:
    """Forget that some turns wait."""
    at.execute(CHARGES.delete().where(CHARGES.c.state == WAITING, CHARGES.c.key.in_(keys)))


def waiting_entries(at: Connection) -> list[tuple[TurnEntry, str]]:
    """Return what waits for a limit, the longest first, with its month."""
    of = select(CHARGES.c.entry, CHARGES.c.month).where(CHARGES.c.state == WAITING)
    rows = at.execute(of.order_by(CHARGES.c.at)).all()
    return [(TurnEntry.model_validate_json(row.entry), row.month) for row in rows]


def ended_turns(at: Connection, stream: str) -> set[str]:
    """Return the newest turns that have ended by what a stream tells."""
    ends = select(EVENTS).where(EVENTS.c.stream == stream, EVENTS.c.kind == "turn_ended")
    newest = at.execute(ends.order_by(EVENTS.c.position.desc()).limit(_ENDS))
    bodies = (event_of(row).body for row in newest)
    return {body.result.turn_id for body in bodies if isinstance(body, TurnEnded)}


def put_limit(at: Connection, key: str, limit: int | None) -> None:
    """Set a limit."""
    row = {"key": key, "millionths": limit}
    insert = DIALECTS[at.dialect.name].insert(MONEY_LIMITS).values(row)
    at.execute(insert.on_conflict_do_update(index_elements=["key"], set_=row))


def of_kinds(kinds: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition for limits of some kinds, and of the scopes of these."""
    key = MONEY_LIMITS.c.key
    return or_(*(or_(key == kind, key.startswith(f"{kind} ", autoescape=True)) for kind in kinds))


def set_limits(at: Connection, scopes: Sequence[LimitScope]) -> dict[str, int | None]:
    """Return the limits that people set for some scopes or for their kinds, by their keys."""
    keys = {key for scope in scopes for key in (scope.key, str(scope.kind))}
    rows = at.execute(select(MONEY_LIMITS).where(MONEY_LIMITS.c.key.in_(keys)))
    return {row.key: row.millionths for row in rows}


def forget_names(at: Connection, stream: str) -> None:
    """Take the names of a thread, or of a task or session, out of the rows; what it cost still counts."""
    names = {"turn": "", "owner": "", "thread": "", "root": "", "task": "", "entry": ""}
    mine = CHARGES.c.thread == stream
    at.execute(CHARGES.delete().where(mine, CHARGES.c.state == WAITING))
    lost = {"state": SETTLED, "reserved": 0, "unknown": 1}  # who it was of is not known any more
    at.execute(CHARGES.update().where(mine, CHARGES.c.state == RESERVED).values(**lost))
    at.execute(CHARGES.update().where(mine).values(**names))
    at.execute(CHARGES.update().where(CHARGES.c.root == stream).values(root=""))  # of its children
    key, thread = MONEY_LIMITS.c.key, LimitScope(kind=Limited.THREAD, name=stream).key
    tasks = LimitScope(kind=Limited.TASK, name=f"{stream}/").key
    of_it = or_(key == thread, key.startswith(tasks, autoescape=True))
    at.execute(MONEY_LIMITS.delete().where(of_it))


def past_tasks(at: Connection) -> dict[str, list[PastTask]]:
    """Return by repository what tasks cost of which no turn runs or is of unknown cost, the newest first.

    One that candidates did at once is a task of each of them.
    """
    paid = func.sum(CHARGES.c.told + CHARGES.c.priced).label("paid")
    of = [CHARGES.c[name] for name in ("task", "owner", "project", "agent", "model", "work")]
    parts = select(*of, paid, func.max(CHARGES.c.at).label("newest"))
    open_ones = (CHARGES.c.state != SETTLED) | (CHARGES.c.unknown > 0)
    left_out = select(CHARGES.c.task).where(open_ones)
    is_known = (CHARGES.c.task != "") & CHARGES.c.task.not_in(left_out)
    rows = at.execute(
        parts.where(is_known).group_by(*of).order_by(text("newest DESC")).limit(_PAST)
    )
    tasks: dict[tuple[str, str, str], list[Any]] = {}
    for row in rows:
        tasks.setdefault((row.project, row.task, row.owner), []).append(row)
    found: dict[str, list[PastTask]] = {}
    for (project, _, _), turns in tasks.items():
        most = max(turns, key=lambda row: row.paid)
        whole = sum(int(row.paid) for row in turns)
        task = PastTask(mode=most.work, agent=most.agent, model=most.model, millionths=whole)
        found.setdefault(project, []).extend([task] if whole else [])
    return found


def spent_by(at: Connection, column: Column[Any], names: Sequence[str]) -> dict[str, Money]:
    """Return what some threads or tasks cost, by their names."""
    counts = ("told", "priced", "included", "included_turns", "unknown")
    sums = [func.sum(CHARGES.c[name]).label(name) for name in counts]
    found = select(column.label("name"), *sums).where(column.in_(names)).group_by(column)
    return {
        row.name: Money.model_validate({name: int(getattr(row, name) or 0) for name in counts})
        for row in at.execute(found)
    }
