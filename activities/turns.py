"""One turn of an agent, from a ready workspace to a commit of what changed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from temporalio import activity

from activities.agent_attempt import AgentAttempt, session_of
from activities.answers import Answers, failed_by, result_of
from activities.breakers import Breakers, Provider
from activities.claims import attempt_of, claim_of
from activities.errors import translated
from activities.heartbeats import beating, is_asked_for
from activities.purse import Purse
from activities.quotes import Quotes
from activities.slots import Slots
from activities.snapshots import snapshot_of
from activities.spending import Spending
from activities.turn_recorder import TurnRecorder
from domain.agents.agents import (
    AgentAnswer,
    SessionRole,
    StopReason,
    TurnInput,
    TurnResult,
)
from domain.agents.ports import AgentProfiles, AgentRunner, Costs, PortLeases, Rate
from domain.agents.profiles import AgentProfile, provider_of
from domain.conversations.calls import CloseSessionCall, TurnCall
from domain.conversations.events import TurnEnded
from domain.core.errors import (
    AgentError,
    InvalidError,
    RefusedByProviderError,
    TreadleError,
    TurnAsleepError,
    UnknownAgentError,
)
from domain.core.ids import EventId
from domain.core.ports import Fence, Fences, Journal
from domain.core.workspaces import WorkspaceKind
from domain.learnings.ports import LearningOffers
from domain.plans.named_agents import NamedAgents, find_doubts_in_reply
from domain.plans.ports import Templates
from domain.threads.ports import WorkCopies, Workspaces


@dataclass(frozen=True)
class Agents:
    """The agents of this host, and how many of their turns may run at the same time."""

    runner: AgentRunner
    profiles: AgentProfiles
    breakers: Breakers
    max_turns: int
    leases: PortLeases | None = None
    credential: Callable[[AgentProfile, str | None], str] | None = None
    """Tells agents with the same credential by a digest; empty where it is not known."""

    named: NamedAgents | None = None
    slots: Slots | None = None
    """The slots of its turns, where others look at them."""

    offers: LearningOffers | None = None
    """What they are told of earlier threads of a repository."""
    costs: Costs | None = None
    """What turns cost; without it nobody knows."""

    purse: Purse | None = None
    """What holds turns to their spending limits; without it there are none."""


class Turns:
    """Runs turns, at most so many at a time on this host."""

    def __init__(
        self,
        journal: Journal,
        workspaces: Workspaces,
        agents: Agents,
        templates: Templates,
        fences: Fences,
        *,
        copies: WorkCopies | None = None,
    ) -> None:
        self._journal = journal
        self._copies = copies
        self._workspaces = workspaces
        self._runner = agents.runner
        self._profiles = agents.profiles
        self._breakers = agents.breakers
        self._leases = agents.leases
        self._credential = agents.credential
        self._named = agents.named
        self._costs, self._purse = agents.costs, agents.purse
        self._slots = agents.slots or Slots(agents.max_turns)
        self._fences = fences
        self._quotes = Quotes(journal, templates, agents.offers)
        self._answers = Answers()

    @activity.defn
    async def run_agent_turn(self, call: TurnCall) -> TurnResult:
        """Run one turn to its end, commit what changed, journal the end.

        A retry finds the journaled end and returns it; where there is none it resumes the agent's
        session and says that it was interrupted, so no prompt is sent twice and no commit made
        twice. A cancelled turn is an ended turn. An agent that fails is a result, not an error. An
        attempt that a newer one took the workspace from ends as superseded, without a result.
        """
        turn, attempt = call.turn, attempt_of(call)
        known = await self._ended(turn) if attempt > 1 else None
        known = known or self._breakers.enter(turn, self._provider(turn))
        if known is not None:
            return known
        with translated():
            async with (
                beating(),
                self._slots,
                self._fences.held(turn.workspace.workspace_id, claim_of(call)) as fence,
                TurnRecorder(self._journal, turn, attempt, fence).flushing() as recorder,
            ):
                # the attempt that held the workspace until now may have come to its end
                known = await self._ended(turn)
                if known is not None:
                    return known
                result = await self._paid(turn, recorder, fence)
                if result.retry_at is not None or result.is_asleep:
                    return result
                await self._copy(turn)
                await recorder.append(
                    f"{turn.turn_id}:ended", TurnEnded(session_id=turn.session_id, result=result)
                )
                self._answers.forget(turn)
        return await self._ended(turn) or result

    async def _copy(self, turn: TurnInput) -> None:
        """Copy a turn's work to the hub: once its end is journaled, nobody makes it again."""
        if self._copies is None or turn.commit is None:
            return
        try:
            await self._copies.copy_work(turn.workspace)
        except asyncio.CancelledError:
            if not is_asked_for():  # a stop comes too late
                raise

    async def _ended(self, turn: TurnInput) -> TurnResult | None:
        """Return the journaled result: of several attempts' the first one is the turn's."""
        event = await self._journal.event(EventId(f"{turn.turn_id}:ended"))
        return event.body.result if event and isinstance(event.body, TurnEnded) else None

    def _provider(self, turn: TurnInput) -> Provider:
        """Return whose limits a turn falls under; an agent that is not there has none."""
        try:
            profile = self._profiles.profile(turn.agent, turn.workspace.repository)
        except InvalidError:
            return Provider(turn.agent)
        known = self._credential(profile, turn.model) if self._credential else ""
        return Provider(provider_of(profile, turn.model), known)

    async def _paid(self, turn: TurnInput, recorder: TurnRecorder, fence: Fence) -> TurnResult:
        """Take a turn that its spending limits have room for, and settle what it cost."""
        rate: Rate | None = None
        if self._costs is not None:
            rate = await self._costs.rate_of(turn.agent, turn.workspace.repository)
        if self._purse is None:
            return await self._turn(turn, recorder, fence, rate)
        waits = await self._purse.enter(turn, rate)
        if waits is not None:
            # it may have been the one that tries whether its provider is back
            self._breakers.ended(turn, self._provider(turn), is_served=False)
            return waits
        result = await self._turn(turn, recorder, fence, rate)
        await self._purse.leave(turn, result, rate)
        return result

    async def _turn(
        self, turn: TurnInput, recorder: TurnRecorder, fence: Fence, rate: Rate | None
    ) -> TurnResult:
        answered = self._answers.of(turn) or await self._answer(turn, recorder, fence, rate)
        if answered.retry_at is not None or answered.is_asleep:
            return answered
        try:
            snapshot = await snapshot_of(turn, self._workspaces, self._journal)
            discarded = await self._discarded(turn)
        except TreadleError as error:
            if error.is_retryable:
                raise
            fence.refuse_stale()
            return failed_by(answered, error)
        return answered.model_copy(update={"snapshot": snapshot, "discarded": discarded})

    async def _answer(
        self, turn: TurnInput, recorder: TurnRecorder, fence: Fence, rate: Rate | None
    ) -> TurnResult:
        provider = self._provider(turn)
        spending = Spending(self._journal, turn, recorder.attempt, rate)
        result = TurnResult(turn_id=turn.turn_id, provider=provider.name)
        is_served = False
        try:
            await spending.recall()
            answer = await self._ask(turn, recorder, fence, spending)
            is_served = True
            result = result_of(turn, answer, provider.name)
        except RefusedByProviderError as error:
            refused = spending.on(self._breakers.refused(turn, provider, error))
            return refused.model_copy(update={"agent_session": await self._session(recorder)})
        except TurnAsleepError:
            session = await self._session(recorder)
            asleep = {"is_asleep": True, "agent_session": session}
            return spending.on(result).model_copy(update=asleep)
        except (AgentError, UnknownAgentError) as error:
            fence.refuse_stale()  # a newer attempt ended this one's agent
            result = failed_by(result, error)
        except TreadleError as error:
            if self._purse is not None and not error.is_retryable:
                fence.refuse_stale()  # a newer attempt may have reserved again
                await self._purse.leave(turn, await spending.on_failure(result), rate)
            raise
        except asyncio.CancelledError:
            if not is_asked_for():
                raise
            result = result.model_copy(update={"stop_reason": StopReason.CANCELLED})
        finally:
            self._breakers.ended(turn, provider, is_served=is_served)
        known = {
            "agent_session": result.agent_session or await self._session(recorder),
            "doubts": self._doubts(turn, result.text),
        }
        return self._answers.keep(spending.on(result.model_copy(update=known)))

    def _doubts(self, turn: TurnInput, reply: str) -> tuple[str, ...]:
        """Look whether what a plan in a planner's reply names is here: its workflow can't."""
        if self._named is None or turn.role is not SessionRole.PLANNER:
            return ()
        why_not = partial(self._named.why_not, turn.workspace.repository)
        return find_doubts_in_reply(reply, why_not, turn.agent)

    async def _ask(
        self, turn: TurnInput, recorder: TurnRecorder, fence: Fence, spending: Spending
    ) -> AgentAnswer:
        if recorder.attempt > 1:
            # the fence ended its process; the runner may not have noticed yet
            await self._runner.close(turn.session_id)
        directory = await self._workspaces.prepare(turn.workspace)
        asking = AgentAttempt(
            self._journal,
            self._runner,
            recorder,
            turn,
            spending=spending,
            quotes=self._quotes,
        )
        limit = turn.time_limit.total_seconds() if turn.time_limit else None
        clock = asyncio.timeout(limit)
        try:
            async with clock:
                return await asking.ask(directory, await self._ports(turn), fence)
        except TimeoutError as error:
            if not clock.expired():
                raise
            raise AgentError(f"it was ended: it took longer than {limit:g} s") from error

    async def _ports(self, turn: TurnInput) -> tuple[int, ...]:
        """Lease the ports that the turn's task declares: a sandbox must know them at its start."""
        if self._leases is None:
            return ()
        owner = turn.workspace.workspace_id
        return tuple([await self._leases.lease(owner, port_id) for port_id in turn.port_ids])

    async def _session(self, recorder: TurnRecorder) -> str | None:
        return await session_of(self._journal, recorder.turn, recorder.attempt)

    async def _discarded(self, turn: TurnInput) -> tuple[str, ...]:
        if turn.commit is not None or turn.workspace.kind is WorkspaceKind.CHAT:
            return ()  # what a chat has written is there while its session plans
        return await self._workspaces.discard(turn.workspace)


class Sessions:
    """Ends what a session held on this host."""

    def __init__(self, workspaces: Workspaces, runner: AgentRunner, fences: Fences) -> None:
        self._workspaces = workspaces
        self._runner = runner
        self._fences = fences

    @activity.defn
    async def close_session(self, call: CloseSessionCall) -> bool:
        """End a session's agent and remove its worktree; once more is harmless."""
        with translated():
            async with beating():
                await self._runner.close(call.session_id)
                if call.workspace is None:
                    return True
                claim = claim_of(call, is_release=True)
                async with self._fences.held(call.workspace.workspace_id, claim):
                    await self._workspaces.release(call.workspace)
        return True
