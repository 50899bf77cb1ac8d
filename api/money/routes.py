"""Money over REST: what the month has cost, how limits stand, and answers at them."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel

from adapters.readings.projections import MoneyProjections
from api.core.dependencies import (
    LedgerDep,
    Person,
    SettingsDep,
    Thread,
    ThreadsDep,
    WorkflowsDep,
    from_app,
)
from api.core.permissions import APPROVES, OF_PROJECTS, OF_SERVER, SEES_THREAD, PermitsDep
from api.core.seen_accounts import seen_accounts
from api.core.signal_lines import LinesDep
from api.money.bodies import MonthlyBody, RaiseBody, StopBody
from domain.agents.billing import MonthlyLimits
from domain.agents.ledger import next_entry
from domain.agents.limits.money import Limited, LimitScope
from domain.core.command import Answer
from domain.core.ids import RequestId, thread_of
from domain.money.commands import RaiseLimit, SetMonthlyLimits, StopAtLimit
from domain.money.inputs import MONEY
from domain.people.roles import EVERY_PROJECT, Role
from domain.reading.money import AskedLimit, LimitView, MoneyView
from domain.threads.sessions import opened_of
from domain.threads.turn_limits import turn_limits

router = APIRouter(tags=["money"], prefix="/money", dependencies=[OF_PROJECTS])

FoldsDep = Annotated[MoneyProjections, from_app("money_folds")]


class ThreadLimits(BaseModel):
    """The limits that the next turn of a thread has."""

    limits: list[LimitView]


@router.get("")
async def money(
    ledger: LedgerDep,
    folds: FoldsDep,
    settings: SettingsDep,
    permits: PermitsDep,
    lines: LinesDep,
) -> MoneyView:
    """Get this calendar month's cost by repository, the limits, and open questions about them."""
    fold, (month, accounts) = await folds.newest(), await ledger.monthly()
    state = fold.state
    shown = [each for each in accounts if permits.sees(_project_of(each.scope))]
    asked = [each for each in fold.asked() if await _is_seen(each.request.scope, permits)]
    return MoneyView(
        month=month,
        time_zone=settings.money.time_zone,
        standing=tuple(map(LimitView.of, shown)),
        monthly=state.monthly
        or MonthlyLimits(
            project_usd=settings.money.project_usd, month_usd=settings.money.month_usd
        ),
        is_set=state.monthly is not None,
        asked=tuple(_lined(each, lines) for each in asked),
        near=tuple([each for each in fold.near(month) if await _is_seen(each.scope, permits)]),
        position=fold.position,
    )


@router.get("/threads/{thread}", dependencies=[SEES_THREAD])
async def thread_limits(
    thread: Thread, ledger: LedgerDep, folds: ThreadsDep, permits: PermitsDep
) -> ThreadLimits:
    """Get the limits that apply to a thread's next turn; that of all work only if you may read all projects."""
    opened = opened_of((await folds.fold(thread)).thread)
    entry = next_entry(thread, opened.facts.root, turn_limits(opened))
    accounts = seen_accounts(permits, await ledger.accounts(entry))
    return ThreadLimits(limits=[LimitView.of(each) for each in accounts])


@router.post("/limits", dependencies=[OF_SERVER])
async def set_limits(body: MonthlyBody, workflows: WorkflowsDep, person: Person) -> Answer:
    """Set the monthly limits, which override the settings; waiting turns try again."""
    limits = MonthlyLimits(project_usd=body.project_usd, month_usd=body.month_usd)
    command = SetMonthlyLimits(
        command_id=body.command_id, limits=None if body.is_reset else limits, by=person
    )
    return await workflows.send_to_money(command)


@router.post("/raise", dependencies=[APPROVES])
async def raise_limit(
    body: RaiseBody, workflows: WorkflowsDep, person: Person, folds: FoldsDep, permits: PermitsDep
) -> Answer:
    """Raise a limit that was reached; waiting turns continue."""
    await _require(body.request_id, folds, permits)
    return await workflows.send_to_money(RaiseLimit(**body.model_dump(), by=person))


@router.post("/stop", dependencies=[APPROVES])
async def stop_at_limit(
    body: StopBody, workflows: WorkflowsDep, person: Person, folds: FoldsDep, permits: PermitsDep
) -> Answer:
    """Keep a limit that was reached, and stop the turns that wait for it."""
    await _require(body.request_id, folds, permits)
    return await workflows.send_to_money(StopAtLimit(**body.model_dump(), by=person))


async def _require(request_id: RequestId, folds: MoneyProjections, permits: PermitsDep) -> None:
    """Refuse who may not answer: an approver of the project may, for all work an admin of the server.

    Raises:
        RoleMissingError: The caller's role is too low.
        NotFoundError: The request is of a thread that is not theirs.
    """
    scope = (await folds.newest()).scopes.get(request_id)
    if scope is not None and scope.kind in {Limited.TASK, Limited.THREAD}:
        await permits.require(Role.APPROVER, thread_of(scope.name))
    elif scope is not None and scope.kind is Limited.PROJECT:
        permits.require_in(Role.APPROVER, scope.name)
    else:
        permits.access.require(Role.ADMIN, EVERY_PROJECT)


async def _is_seen(scope: LimitScope, permits: PermitsDep) -> bool:
    if scope.kind in {Limited.TASK, Limited.THREAD}:
        return await permits.sees_stream(thread_of(scope.name))
    return permits.sees(_project_of(scope))


def _project_of(scope: LimitScope) -> str:
    return scope.name if scope.kind is Limited.PROJECT else ""


def _lined(asked: AskedLimit, lines: LinesDep) -> AskedLimit:
    """Add the command with which Temporal's own command line stops what waits; a raise binds its amount."""
    stop = StopAtLimit(request_id=asked.request.request_id, content_hash=asked.content_hash)
    project = _project_of(asked.request.scope) or EVERY_PROJECT
    return asked.model_copy(update={"signal_lines": lines.of(project, [("stop", MONEY, stop)])})
