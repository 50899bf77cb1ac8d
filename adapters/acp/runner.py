"""The `AgentRunner`: one process a session, kept between turns, closed when idle."""

import asyncio
from dataclasses import replace
from functools import partial

from adapters.acp.client_side import ClientSide
from adapters.acp.endings import not_started
from adapters.acp.handshake import client_side
from adapters.acp.hosts import HostApprovals
from adapters.acp.idle import IdleProcesses
from adapters.acp.launch import Launch
from adapters.acp.limits import Patience, TurnLimits
from adapters.acp.opening import Opening, check_tools
from adapters.acp.prompts import blocks, links, place, with_places
from adapters.acp.questions import QuestionChannel
from adapters.acp.session import LiveSession
from adapters.acp.slow_start import report_slow_start
from adapters.acp.transcript import Transcript
from adapters.egress.doors import Gate
from adapters.processes.sandbox import SandboxUnavailableError
from adapters.processes.spawner import Spawner
from adapters.tools.grants import Grant
from adapters.tools.server import ToolServer
from domain.agents.agents import AgentAnswer, AgentCall, TurnInput
from domain.agents.ports import AgentProfiles
from domain.agents.profiles import AgentProfile
from domain.agents.refusals import REFUSED
from domain.agents.sandbox import Sandbox
from domain.conversations.events import PromptSent, SandboxApplied
from domain.core.errors import AgentDiedError, AgentError, RefusedByProviderError, TurnAsleepError
from domain.core.ids import SessionId, TurnId
from domain.core.ports import Beat, Record
from domain.recipes.errors import SecretUnavailableError
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import User

BEAT_SECONDS = 1.0
LINE_BYTES = 1 << 20


class AcpAgents:
    """Runs turns of ACP agents on this host; make one in a worker and close it at the end."""

    environments: Environments | None = None
    """What recipes have agents know; set before the first turn."""

    def __init__(  # noqa: PLR0913  (each is a neighbour)
        self,
        profiles: AgentProfiles,
        spawner: Spawner,
        tools: ToolServer,
        launch: Launch,
        channel: QuestionChannel,
        *,
        patience: Patience | None = None,
        limits: TurnLimits | None = None,
    ) -> None:
        self._profiles = profiles
        self._spawner = spawner
        self._tools = tools
        self._launch = launch
        self._channel = channel
        self.hosts = HostApprovals(channel)
        self._patience = patience or Patience()
        self._limits = limits or TurnLimits()
        self._opening = Opening(launch, self._patience, self._limits)
        self._live: dict[SessionId, LiveSession] = {}
        self._turns: dict[SessionId, asyncio.Task[AgentAnswer]] = {}
        self._idle = IdleProcesses(self._drop, self._patience)

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end; see the port. A turn of the session that still runs ends first."""
        session_id = call.turn.session_id
        await self._end_turn(session_id)
        turn = asyncio.create_task(self._turn(call, record), name=f"turn {call.turn.turn_id}")
        self._turns[session_id] = turn
        beating = asyncio.create_task(_beating(beat))
        try:
            return await turn
        finally:
            beating.cancel()
            if self._turns.get(session_id) is turn:
                del self._turns[session_id]

    async def close(self, session_id: SessionId) -> None:
        """End a session's turn, process and all below it; unknown and ended ones are fine."""
        await self._end_turn(session_id)
        await self._drop(session_id)

    def end_waits(self) -> None:
        """Put turns that wait for a person to sleep, now and from now on."""
        self._channel.waits.end_all()

    def allow_waits(self) -> None:
        """Let turns wait for a person again."""
        self._channel.waits.allow()

    async def close_all(self) -> None:
        """End everything; called when the worker ends."""
        await asyncio.gather(*(self.close(one) for one in {*self._live, *self._turns}))

    async def _end_turn(self, session_id: SessionId) -> None:
        while (earlier := self._turns.get(session_id)) is not None and not earlier.done():
            earlier.cancel()
            await asyncio.wait({earlier})

    async def _turn(self, call: AgentCall, record: Record) -> AgentAnswer:
        self._idle.wake(call.turn.session_id)
        transcript = Transcript(call.turn.turn_id, record, self._limits)
        try:
            return await self._say(call, transcript)
        finally:
            if call.turn.session_id in self._live:
                self._idle.rest(call.turn.session_id, call.turn.role)
            await transcript.close()

    async def _say(self, call: AgentCall, transcript: Transcript) -> AgentAnswer:
        live = await self._session(call, transcript)
        live.begin_turn(call.turn, transcript, self._limits)
        live.grant.begin(call.turn, call.directory)
        text = (call.fresh_prompt or call.prompt) if live.is_fresh else call.prompt
        places = place(call.files, self._launch.home(live.profile.name, call.turn.session_id))
        text = with_places(text, call.files, places)
        transcript.put(PromptSent(turn_id=call.turn.turn_id, text=text))
        try:
            await transcript.flush()  # who takes the turn up later must know that it was sent
            content = blocks(text, call.files, places, live.takes)
            content += links(call.directory, call.turn.prompt)
            said = await live.prompt(content, call.turn, self._limits)
            check_tools(live, call.turn)
        except (AgentError, ConnectionError) as error:
            raise await self._failed(live, error, may_resume=True) from error
        except TurnAsleepError:
            await self._drop(call.turn.session_id)
            raise
        finally:
            await live.grant.end()
            live.end_turn()
        return AgentAnswer(
            stop_reason=said.stop_reason,
            agent_session=live.agent_session,
            text=transcript.text,
            usage=live.spending.usage(said.usage),
            context=live.tally.context,
            compact_command=_compact_command(live),
            tool_calls=live.tally.tool_calls,
            tool_failures=live.tally.tool_failures,
            sandbox=live.sandbox.summary,
        )

    async def _session(self, call: AgentCall, transcript: Transcript) -> LiveSession:
        profile = self._profiles.profile(call.turn.agent, call.turn.workspace.repository)
        live = self._live.get(call.turn.session_id)
        has_ports = live is not None and live.ports == call.sandbox_ports
        if (
            live is not None
            and has_ports
            and live.grant.has_plan_files == call.turn.has_plan_files
            and live.grant.role is call.turn.role
            and live.fits(profile, call.directory, call.agent_session)
        ):
            return live
        await self._drop(call.turn.session_id)

        async def tell(line: str) -> None:
            transcript.note(line)

        self._tools.check()
        await self._launch.prepare(profile, self._spawner, tell)
        slow = self._limits.circling.quiet_concern
        slow += profile.quirks.reopen_after_seconds if slow else 0
        async with report_slow_start(transcript, call.turn.turn_id, slow):
            live, is_opened = await self._opened(call, profile, transcript, is_last=False)
            if not is_opened:
                await self._drop(call.turn.session_id)
                live, _ = await self._opened(call, profile, transcript, is_last=True)
            return live

    async def _opened(
        self, call: AgentCall, profile: AgentProfile, transcript: Transcript, *, is_last: bool
    ) -> tuple[LiveSession, bool]:
        """Start an agent and open its session; False where it should be started anew for its tools."""
        gate = Gate(tell=partial(_refused, transcript)) if call.tells_refusals else None
        live = await self._start(call, profile, gate)
        transcript.put(_applied(call.turn.turn_id, live.sandbox))
        url = self._tools.url_for(live.grant)
        try:
            is_opened = await self._opening.open(live, call, transcript, url, is_last=is_last)
            self._tools.check()  # its library may have been on its way when the agent started
        except (AgentError, ConnectionError) as error:
            had_session = call.agent_session is not None
            raise await self._failed(live, error, may_resume=had_session) from error
        except BaseException:
            await self._drop(call.turn.session_id)
            raise
        return live, is_opened

    async def _start(
        self, call: AgentCall, profile: AgentProfile, gate: Gate | None
    ) -> LiveSession:
        turn = call.turn
        command = self._launch.command(profile, turn.session_id, call.directory)
        grant = Grant(
            turn.session_id,
            turn.owner,
            turn.thread_id,
            turn.role,
            tool_filter=turn.tools,
            has_plan_files=turn.has_plan_files,
        )
        gate = gate or self.hosts.gate(grant)
        try:
            command = self._launch.confined(command, profile, turn, call.sandbox_ports)
            command = replace(command, gate=gate).within(await self._around(turn))
            child = await self._spawner.start(command, line_limit_bytes=LINE_BYTES)
        except (SandboxUnavailableError, SecretUnavailableError) as error:
            raise AgentError(str(error)) from error
        except OSError as error:
            raise not_started(profile, error) from error
        admitted = self._tools.admit(grant)
        live = LiveSession(child, profile, turn, admitted, call.directory, channel=self._channel)
        live.sandbox, live.ports = command.sandbox or Sandbox(), call.sandbox_ports
        live.gate, live.beside = gate, command.beside
        ClientSide(live, self._spawner, client_side(live.profile, turn))
        self._live[turn.session_id] = live
        return live

    async def _around(self, turn: TurnInput) -> Surroundings:
        """Return what the workspace's recipe has its agent know; a reader's has none."""
        if self.environments is None:
            return Surroundings()
        return await self.environments.of(turn.workspace, User.AGENT)

    async def _failed(
        self, live: LiveSession, error: AgentError | ConnectionError, *, may_resume: bool
    ) -> AgentError:
        """End a session that failed; returns what to tell."""
        if isinstance(error, ConnectionError):
            why = await live.why_gone()
            error = AgentDiedError(why) if may_resume else AgentError(why)
        failure = error if isinstance(error, RefusedByProviderError) else live.failure(error)
        await self._drop(live.grant.session_id)
        return failure

    async def _drop(self, session_id: SessionId) -> None:
        self._idle.wake(session_id)
        self._tools.revoke(session_id)
        live = self._live.pop(session_id, None)
        if live is not None:
            await live.stop(self._limits.grace_seconds)


def _applied(turn_id: TurnId, sandbox: Sandbox) -> SandboxApplied:
    return SandboxApplied(
        turn_id=turn_id, level=sandbox.level, network=sandbox.network, summary=sandbox.summary
    )


def _refused(transcript: Transcript, place: str) -> None:
    transcript.note(f"{REFUSED}{place}")


def _compact_command(live: LiveSession) -> str:
    command = live.profile.compact_command
    return command if live.tally.offers(command) else ""


async def _beating(beat: Beat) -> None:
    while True:
        beat()
        await asyncio.sleep(BEAT_SECONDS)
