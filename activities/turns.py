"""One turn of an agent, from a ready workspace to a commit of what changed."""

import asyncio

from temporalio import activity

from activities.claims import claim_of
from activities.errors import translated
from activities.heartbeats import beating
from activities.recording import TurnRecorder
from domain.agents import Prompt, PromptName, StopReason, TurnInput, TurnResult
from domain.effects import CloseSessionCall, TurnCall
from domain.errors import AgentError, UnknownAgentError
from domain.events import EventBody
from domain.events.session import AgentSessionOpened, PromptSent, TurnEnded
from domain.ids import EventId
from domain.ports import (
    AgentAnswer,
    AgentCall,
    AgentRunner,
    Fence,
    Fences,
    Journal,
    Templates,
    Workspaces,
)
from domain.workspaces import Snapshot

MAX_EARLIER_ATTEMPTS = 50


class Turns:
    """Runs turns, at most so many at a time on this host."""

    def __init__(
        self,
        journal: Journal,
        workspaces: Workspaces,
        runner: AgentRunner,
        templates: Templates,
        fences: Fences,
        *,
        max_turns: int,
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._runner = runner
        self._templates = templates
        self._fences = fences
        self._slots = asyncio.Semaphore(max_turns)

    @activity.defn
    async def run_agent_turn(self, call: TurnCall) -> TurnResult:
        """Run one turn to its end, commit what changed, journal the end.

        A retry finds the journaled end and returns it; where there is none it resumes the agent's
        session and says that it was interrupted, so no prompt is sent twice and no commit made
        twice. A cancelled turn is an ended turn. An agent that fails is a result, not an error. An
        attempt that a newer one took the workspace from ends as superseded, without a result.
        """
        turn = call.turn
        known = await self._ended(turn)
        if known is not None:
            return known
        attempt = activity.info().attempt
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
                result = await self._turn(turn, recorder, fence)
                await recorder.append(f"{turn.turn_id}:ended", TurnEnded(result=result))
        return await self._ended(turn) or result

    async def _ended(self, turn: TurnInput) -> TurnResult | None:
        """Return the journaled result: of several attempts' the first one is the turn's."""
        event = await self._journal.event(EventId(f"{turn.turn_id}:ended"))
        return event.body.result if event and isinstance(event.body, TurnEnded) else None

    async def _turn(self, turn: TurnInput, recorder: TurnRecorder, fence: Fence) -> TurnResult:
        clock = asyncio.get_running_loop().time
        started = clock()
        failure: str | None = None
        answer: AgentAnswer | None = None
        try:
            answer = await self._ask(turn, recorder)
            reason = answer.stop_reason
        except (AgentError, UnknownAgentError) as error:
            fence.refuse_stale()  # a newer attempt ended this one's agent
            failure, reason = error.message, StopReason.REFUSAL
        except asyncio.CancelledError:
            if not _is_asked_for():
                raise
            reason = StopReason.CANCELLED
        snapshot = await self._snapshot(turn)
        return TurnResult(
            turn_id=turn.turn_id,
            stop_reason=reason,
            agent_session=answer.agent_session if answer else await self._agent_session(turn, 0),
            text=answer.text if answer else "",
            failure=failure,
            report=answer.report if answer else None,
            snapshot=snapshot,
            usage=answer.usage if answer else None,
            duration_ms=int((clock() - started) * 1000),
        )

    async def _ask(self, turn: TurnInput, recorder: TurnRecorder) -> AgentAnswer:
        attempt = activity.info().attempt
        if attempt > 1:
            # the fence ended its process; the runner may not have noticed yet
            await self._runner.close(turn.session_id)
        directory = await self._workspaces.prepare(turn.workspace)
        text = self._templates.render(turn.prompt)
        agent_session = await self._agent_session(turn, 1)
        prompt_id = EventId(f"{turn.turn_id}:prompt")
        if attempt > 1 and await self._journal.event(prompt_id) is not None:
            text = self._templates.render(
                Prompt(name=PromptName.INTERRUPTED, fields={"request": text})
            )
            await recorder.record(PromptSent(turn_id=turn.turn_id, text=text))
        else:
            prompt = PromptSent(turn_id=turn.turn_id, text=text)
            await recorder.append(prompt_id, prompt)

        async def record(body: EventBody) -> None:
            if isinstance(body, AgentSessionOpened):
                # durable before the first prompt, so that a retry finds the agent's session
                await recorder.append(f"{turn.turn_id}:session:{attempt}", body)
            else:
                await recorder.record(body)

        call = AgentCall(turn=turn, directory=directory, prompt=text, agent_session=agent_session)
        return await self._runner.run_turn(call, record, activity.heartbeat)

    async def _agent_session(self, turn: TurnInput, back: int) -> str | None:
        """Return the agent's session: of this turn, so many attempts back, else of earlier turns."""
        newest = activity.info().attempt - back
        for attempt in range(newest, max(0, newest - MAX_EARLIER_ATTEMPTS), -1):
            event_id = EventId(f"{turn.turn_id}:session:{attempt}")
            event = await self._journal.event(event_id)
            if event is not None and isinstance(event.body, AgentSessionOpened):
                return event.body.agent_session
        return turn.agent_session

    async def _snapshot(self, turn: TurnInput) -> Snapshot | None:
        if turn.commit is None:
            return None
        snapshot = await self._workspaces.commit(turn.workspace, turn.commit)
        if snapshot.commit == snapshot.base:
            return snapshot
        repository = turn.workspace.repository
        diff = await self._workspaces.diff(repository, snapshot.base, snapshot.commit)
        reference = await self._journal.put_text(diff)
        return snapshot.model_copy(update={"diff_ref": reference})


def _is_asked_for() -> bool:
    """Tell a cancellation that a person asked for from an attempt that was lost or shut down.

    A worker that slept past its heartbeats is told to stop as well; its turn goes on elsewhere and
    must not be journaled as ended.
    """
    details = activity.cancellation_details()
    return details is not None and details.cancel_requested


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
                claim = claim_of(call, is_release=True)
                async with self._fences.held(call.workspace.workspace_id, claim):
                    await self._workspaces.release(call.workspace)
        return True
