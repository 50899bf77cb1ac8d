"""The ledger of what turns cost, in the journal's database: what is reserved and settled is one transaction each."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice

from sqlalchemy import Connection, select

from adapters.journal.charges import (
    CHARGES,
    MONEY_LIMITS,
    RESERVED,
    SETTLED,
    WAITING,
    account_of,
    drop_rows,
    drop_waiting,
    ended_turns,
    expected_cost,
    of_kinds,
    past_tasks,
    put_limit,
    put_row,
    row_key,
    scopes_of,
    set_limits,
    spent_by,
    waiting_entries,
)
from adapters.journal.engines import Engines
from domain.agents.billing import MoneyOptions
from domain.agents.ledger import LimitsByPerson, Reserved, TurnEntry
from domain.agents.limits.money import (
    RETRY,
    Account,
    Admission,
    Limited,
    LimitScope,
    admit,
    month_of,
    next_month,
    spent_limits,
)
from domain.core.ids import TurnId
from domain.core.money import Money, millionths
from domain.plans.estimates import Estimate, Expected, estimate

_GONE = 60 * RETRY
"""After so long what waits is forgotten, though its workflow goes on: its host is gone, or would have asked again."""

MAX_WOKEN = 16
"""Turns that one end lets try again; those that find no room wait for the next end."""


Known = dict[tuple[str, int], Account]
"""Accounts that were read in a transaction, by their scopes and limits."""


class JournalLedger:
    """The port `Ledger`, by the connections of an open journal; a writer decides alone at a time."""

    def __init__(
        self, engines: Engines, options: MoneyOptions, now: Callable[[], datetime] | None = None
    ) -> None:
        self._engines = engines
        self._options = options
        self._now = now or (lambda: datetime.now(UTC))

    async def reserve(self, entry: TurnEntry) -> Admission:
        """Reserve for a part of a turn, or note that it waits; asked again, it is the same."""
        now = self._now()
        month = month_of(now, self._options.time_zone)

        def change(at: Connection) -> Admission:
            known = select(CHARGES.c.state).where(CHARGES.c.key == row_key(entry))
            if at.scalar(known) in {RESERVED, SETTLED}:
                return Admission()  # an attempt before this one did
            drop_waiting(at, entry)
            expected = expected_cost(at, entry, millionths(self._options.turn_usd))
            accounts = self._accounts(at, entry, month)
            admission = admit(accounts, expected, now, self._options.time_zone)
            state = RESERVED if admission.is_admitted else WAITING
            put_row(at, entry, month, state, reserved=expected)
            return admission

        return await self._engines.write.run(change)

    async def settle(self, entry: TurnEntry, money: Money) -> tuple[Admission, tuple[str, ...]]:
        """Note what a part of a turn cost in the place of what it reserved; again, it is the same."""
        now = self._now()
        month = month_of(now, self._options.time_zone)
        amounts = money.model_dump()

        def change(at: Connection) -> tuple[Admission, tuple[str, ...]]:
            began = at.scalar(select(CHARGES.c.month).where(CHARGES.c.key == row_key(entry)))
            drop_waiting(at, entry)
            put_row(at, entry, began or month, SETTLED, reserved=0, **amounts)
            accounts = [
                account
                for account in self._accounts(at, entry, began or month)
                if not account.scope.is_of_month_before(month)
            ]
            told = Admission(
                near=spent_limits(a for a in accounts if a.is_near),
                reached=spent_limits(
                    a for a in accounts if a.is_reached and _waiting_for(at, a.scope)
                ),
                month_ends=next_month(now, self._options.time_zone),
            )
            return told, tuple(self._having_room(at))

        return await self._engines.write.run(change)

    async def raise_limit(self, scope: LimitScope, limit: int) -> tuple[str, ...]:
        """Set the limit of a scope; returns the owners of turns that wait for it."""

        def change(at: Connection) -> tuple[str, ...]:
            put_limit(at, scope.key, limit)
            return _waiting_for(at, scope)

        return await self._engines.write.run(change)

    async def waiting(self, scope: LimitScope) -> tuple[Reserved, ...]:
        """Return what waits for a scope."""
        found = await self._engines.lookups.run(lambda at: [*_entries_for(at, scope)])
        return tuple(Reserved(row_key(each), TurnId(each.turn), each.owner) for each in found)

    async def stopped(self, keys: Collection[str]) -> None:
        """Forget that some turns wait, by the keys of their rows: they were stopped."""
        await self._engines.write.run(lambda at: drop_rows(at, keys))

    async def set_monthly(self, limits: LimitsByPerson | None) -> tuple[str, ...]:
        """Set what a person says over the settings; returns the owners of all turns that wait."""

        def change(at: Connection) -> tuple[str, ...]:
            kinds = (Limited.PROJECT.value, Limited.MONTH.value)
            at.execute(MONEY_LIMITS.delete().where(of_kinds(kinds)))  # raised ones, too
            if limits is not None:
                put_limit(at, Limited.PROJECT, limits.project)
                put_limit(at, Limited.MONTH, limits.month)
            return tuple(dict.fromkeys(entry.owner for entry, _ in waiting_entries(at)))

        return await self._engines.write.run(change)

    # --- what is read

    async def threads(self, names: Sequence[str]) -> dict[str, Money]:
        """Return what some threads cost, by their ids."""
        return await self._engines.lookups.run(lambda at: spent_by(at, CHARGES.c.thread, names))

    async def accounts(self, entry: TurnEntry) -> list[Account]:
        """Return how the limits stand that a turn would have now."""
        month = month_of(self._now(), self._options.time_zone)
        return await self._engines.lookups.run(lambda at: self._accounts(at, entry, month))

    async def held(self) -> dict[str, tuple[str, ...]]:
        """Return the threads whose turns wait, by the keys of all limits that they count for."""
        waits = await self._engines.lookups.run(waiting_entries)
        found: dict[str, dict[str, None]] = {}
        for entry, month in waits:
            for scope in scopes_of(entry, month):
                found.setdefault(scope.key, {})[entry.thread] = None
        return {key: tuple(threads) for key, threads in found.items()}

    async def unmet(self) -> Admission:
        """Return the limits that are reached while turns wait for them."""
        now, zone = self._now(), self._options.time_zone
        this_month = month_of(now, zone)

        def read(at: Connection) -> Known:
            known: Known = {}
            for entry, month in waiting_entries(at):
                self._accounts(at, entry, month, known)
            return known

        accounts = (await self._engines.lookups.run(read)).values()
        reached = (
            account
            for account in accounts
            if account.is_reached and not account.scope.is_of_month_before(this_month)
        )
        ends = next_month(now, zone)
        return Admission(is_admitted=False, reached=spent_limits(reached), month_ends=ends)

    async def has_ended(self, waits: Reserved) -> bool:
        """Tell whether a turn that waits is over, by the stream of its owner: a task tells the ends of its own."""
        return waits.turn in await self._engines.lookups.run(
            lambda at: ended_turns(at, waits.owner)
        )

    async def reserved(self, older: timedelta) -> list[Reserved]:
        """Return what was reserved so long ago, and forget what nobody asked for again since it waited."""
        now = self._now().astimezone(UTC)
        before, gone = ((now - age).isoformat(timespec="microseconds") for age in (older, _GONE))
        stale = CHARGES.delete().where(CHARGES.c.state == WAITING, CHARGES.c.at < gone)
        await self._engines.write.run(lambda at: at.execute(stale).rowcount)
        return await self._older(RESERVED, before)

    async def waits(self, older: timedelta) -> list[Reserved]:
        """Return what waits for a limit since so long ago."""
        before = (self._now().astimezone(UTC) - older).isoformat(timespec="microseconds")
        return await self._older(WAITING, before)

    async def _older(self, state: str, before: str) -> list[Reserved]:
        mine = select(CHARGES).where(CHARGES.c.state == state, CHARGES.c.at < before)
        rows = await self._engines.lookups.run(lambda at: at.execute(mine).all())
        return [
            Reserved(row.key, TurnId(row.turn), row.owner, is_included=row.reserved == 0)
            for row in rows
        ]

    async def settle_lost(self, lost: Reserved, money: Money) -> tuple[str, ...]:
        """Settle what no activity settles any more; returns the owners of turns that may have room now."""

        def change(at: Connection) -> tuple[str, ...]:
            mine = (CHARGES.c.key == lost.key) & (CHARGES.c.state == RESERVED)
            at.execute(
                CHARGES.update().where(mine).values(state=SETTLED, reserved=0, **money.model_dump())
            )
            return tuple(self._having_room(at))

        return await self._engines.write.run(change)

    async def estimate(self, tasks: Sequence[Expected], project: str) -> Estimate:
        """Return what tasks in a repository will likely cost."""
        known = await self._engines.lookups.run(past_tasks)
        own = known.pop(project, [])
        return estimate(tasks, own, [past for others in known.values() for past in others])

    async def monthly(self) -> tuple[str, list[Account]]:
        """Return this month, and how it and each repository in it stand; a limit of 0 is none."""
        month = month_of(self._now(), self._options.time_zone)
        mine = select(CHARGES.c.project).where(CHARGES.c.month == month).distinct()

        def read(at: Connection) -> list[Account]:
            names: list[str] = sorted(name for name in at.scalars(mine) if name)
            scopes = [LimitScope(kind=Limited.MONTH, name=month)]
            scopes += [LimitScope(kind=Limited.PROJECT, name=name, month=month) for name in names]
            nobodys = TurnEntry(key="", turn="", owner="", thread="")
            limits = dict(self._limits_of(nobodys, scopes, set_limits(at, scopes)))
            return [account_of(at, scope, limits.get(scope, 0)) for scope in scopes]

        return month, await self._engines.lookups.run(read)

    def _accounts(
        self, at: Connection, entry: TurnEntry, month: str, known: Known | None = None
    ) -> list[Account]:
        """Return how the limits of a turn stand; those that are `known` are not read again."""
        if entry.is_included:
            return []
        scopes, kept = scopes_of(entry, month), {} if known is None else known
        limits = list(self._limits_of(entry, scopes, set_limits(at, scopes)))
        for scope, limit in limits:
            if (scope.key, limit) not in kept:
                kept[scope.key, limit] = account_of(at, scope, limit)
        return [kept[scope.key, limit] for scope, limit in limits]

    def _limits_of(
        self, entry: TurnEntry, scopes: Sequence[LimitScope], by_people: dict[str, int | None]
    ) -> Iterator[tuple[LimitScope, int]]:
        """Yield the limits that count: as raised, else as a person set them, else as configured."""
        configured = {
            Limited.TASK: entry.limits.task_usd,
            Limited.THREAD: entry.limits.thread_usd,
            Limited.PROJECT: self._options.project_usd,
            Limited.MONTH: self._options.month_usd,
        }
        for scope in scopes:
            usd = configured[scope.kind]
            usual = None if usd is None else millionths(usd)
            usual = by_people.get(scope.kind, usual)
            limit = by_people.get(scope.key, usual)
            if limit is not None:
                yield scope, limit

    def _having_room(self, at: Connection) -> Iterator[str]:
        """Yield the owners of turns that wait and would find room now."""
        known: Known = {}
        found = (e.owner for e, month in waiting_entries(at) if self._has_room(at, e, month, known))
        yield from islice(dict.fromkeys(found), MAX_WOKEN)

    def _has_room(self, at: Connection, entry: TurnEntry, month: str, known: Known) -> bool:
        expected = expected_cost(at, entry, millionths(self._options.turn_usd))
        accounts = self._accounts(at, entry, month, known)
        return all(account.has_room(expected) for account in accounts)


def _waiting_for(at: Connection, scope: LimitScope) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.owner for entry in _entries_for(at, scope)))


def _entries_for(at: Connection, scope: LimitScope) -> Iterator[TurnEntry]:
    for entry, month in waiting_entries(at):
        if any(each.key == scope.key for each in scopes_of(entry, month)):
            yield entry
