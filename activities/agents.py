"""Checks of agents: installed, looked at, tried; what is found out is journaled and kept."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from temporalio import activity

from activities.heartbeats import beating
from activities.turn_recorder import TurnRecorder
from domain.agents.agents import AgentAnswer, AgentCall, Prompt, SessionRole, TurnInput
from domain.agents.checks import TRY_SECONDS, AgentChecker, CheckInput, CheckKind, CheckResult, Seen
from domain.agents.events import AgentCheckEnded, AgentCheckProgress, AgentCheckStarted
from domain.agents.offers import OfferedOption
from domain.agents.past_sessions import PastSessions
from domain.agents.ports import AgentProfiles, AgentRunner
from domain.agents.profiles import AgentProfile
from domain.agents.refusals import Refusals, texts_in
from domain.agents.updates import TOOL_CALLS, kind_of
from domain.conversations.events import AgentNotice, AgentSessionOpened, AgentUpdate
from domain.core.errors import AgentError, LoginNeededError, TreadleError
from domain.core.event import Event, EventBody, Headline
from domain.core.ids import EventId, SessionId, ThreadId, TurnId
from domain.core.ports import Journal
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec

QUESTION = (
    "This is a test of the connection. Read the file README.md here, and answer with one short "
    "sentence that holds its secret word. Change nothing, and run nothing else."
)
MAX_TEXT = 4_000
HEADLINE = "agent_check"


@dataclass(frozen=True)
class AgentChecks:
    """Checks agents on this host; each may run twice: nothing is left of the first time."""

    checker: AgentChecker
    profiles: AgentProfiles
    runner: AgentRunner
    journal: Journal
    past: PastSessions | None = None

    @activity.defn
    async def install_agent(self, check: CheckInput) -> CheckResult:
        """Install the pinned version of an agent; a failure is a result."""
        async with self._checking(check) as found:
            profile = self.profiles.profile(check.agent, check.repository)
            found.version = await self.checker.install(profile, found.tell)
            await found.look(profile)
        return found.result

    @activity.defn
    async def look_at_agent(self, check: CheckInput) -> CheckResult:
        """Start an agent, ask what it offers, and end it; a failure is a result."""
        async with self._checking(check) as found:
            profile = self.profiles.profile(check.agent, check.repository)
            await found.look(profile)
        return found.result

    @activity.defn
    async def try_agent(self, check: CheckInput) -> CheckResult:
        """Have an agent answer one harmless question; a failure is a result.

        In a repository of its own, which is thrown away, and as one that may only read.
        """
        async with self._checking(check) as found:
            profile = self.profiles.profile(check.agent, check.repository)
            await found.look(profile)
            try:
                answer = await self._ask(check, found)
            except AgentError as error:
                found.refusals.read(error.message)
                raise
            finally:
                await found.tell_refusals()
            changes = {"text": answer.text[-MAX_TEXT:], "usage": answer.usage}
            found.result = found.result.model_copy(update=changes)
        return found.result

    @activity.defn
    async def list_sessions(self, check: CheckInput) -> CheckResult:
        """List the sessions that an agent has of a repository; a failure is a result."""
        async with self._checking(check) as found:
            profile = self.profiles.profile(check.agent, check.repository)
            if self.past is None or not check.repository:
                raise AgentError("name a repository on a host that has agents")
            sessions = await self.past.listed(profile, _turn(check), check.repository)
            found.result = found.result.model_copy(update={"sessions": sessions})
        return found.result

    async def _ask(self, check: CheckInput, found: "_Found") -> AgentAnswer:
        turn = _turn(check)
        recorder = TurnRecorder(self.journal, turn, activity.info().attempt, _Unheld())

        async def record(body: EventBody) -> None:
            if isinstance(body, AgentSessionOpened):
                found.options = body.options
            found.read(body)
            await recorder.record(body)

        try:
            async with (
                self.checker.scratch(check.stream) as folder,
                recorder.flushing(),
                asyncio.timeout(TRY_SECONDS),
            ):
                call = AgentCall(turn=turn, directory=folder, prompt=QUESTION, tells_refusals=True)
                return await self.runner.run_turn(call, record, activity.heartbeat)
        except TimeoutError as error:
            raise AgentError(f"it gave no answer within {TRY_SECONDS:.0f} s") from error
        finally:
            await self.runner.close(turn.session_id)

    @asynccontextmanager
    async def _checking(self, check: CheckInput) -> AsyncGenerator["_Found"]:
        """Journal the beginning and the end, with whatever the block failed with, and keep it."""
        clock = asyncio.get_running_loop().time
        began, found = clock(), _Found(self, check)
        await found.tell_of(
            "started", AgentCheckStarted(agent=check.agent, check=check.kind, by=check.by)
        )
        ended = {"is_well": True}
        try:
            async with beating():
                yield found
        except TreadleError as error:
            ended = {"is_well": False, "failure": error.message}
            if isinstance(error, LoginNeededError):
                found.needs_login = True
        ended |= {
            "version": found.version,
            "duration_ms": int((clock() - began) * 1000),
            "at": datetime.now(UTC),
        }
        found.result = found.result.model_copy(update=ended)
        found.keep()
        await found.tell_of("ended", AgentCheckEnded(agent=check.agent, result=found.result))


class _Found:
    """What a check has found out so far."""

    def __init__(self, checks: AgentChecks, check: CheckInput) -> None:
        self._checks = checks
        self._check = check
        self._number = 0
        self._profile: AgentProfile | None = None
        self._seen: Seen | None = None
        self.version = ""
        self.needs_login: bool | None = None
        self.options: tuple[OfferedOption, ...] = ()
        self.result = CheckResult(kind=check.kind)
        self.refusals = Refusals()

    async def look(self, profile: AgentProfile) -> None:
        """Ask the agent what it offers.

        Raises:
            AgentError: It did not start or answer.
        """
        self._profile = profile
        turn = _turn(self._check)
        self._seen = await self._checks.checker.look(profile, turn, self.tell)
        self.version = self._seen.version or self.version
        await self.tell(f"it starts: {self.version or 'it tells no version'}")

    def read(self, body: EventBody) -> None:
        """Read in what happens in a try what its sandbox refused."""
        if isinstance(body, AgentNotice):
            self.refusals.heard(body.message)
        elif isinstance(body, AgentUpdate) and kind_of(body.update) in TOOL_CALLS:
            for text in texts_in(body.update):
                self.refusals.read(text)

    async def tell_refusals(self) -> None:
        """Tell what the sandbox refused, where it did."""
        if words := self.refusals.words:
            await self.tell(words)

    def keep(self) -> None:
        """Keep it for lists; of an agent that there is not there is nothing to keep."""
        if self._profile is None:
            return
        is_answered = self.result.is_well and self._check.kind is CheckKind.TRY
        needs_login = False if is_answered else self.needs_login
        changes = {"needs_login": needs_login, "options": self.options}
        seen = self._seen and self._seen.model_copy(update=changes)
        self._checks.checker.keep(self._profile, self.result, seen)

    async def tell(self, line: str) -> None:
        """Journal a line that tells how far the check is."""
        self._number += 1
        label = f"{activity.info().attempt}.{self._number}"
        await self.tell_of(label, AgentCheckProgress(message=line))

    async def tell_of(self, label: str, body: EventBody) -> None:
        """Journal an event under an id of its own."""
        stream = self._check.stream
        event = Event(
            id=EventId(f"{stream}:{label}"), stream=stream, at=datetime.now(UTC), body=body
        )
        headline = Headline(stream=stream, kind=HEADLINE, title=self._check.agent)
        await self._checks.journal.append([event], [headline])


class _Unheld:
    """A fence that nobody takes over: a check's folder is its own."""

    def refuse_stale(self) -> None:
        """Do nothing."""


def _turn(check: CheckInput) -> TurnInput:
    stream = check.stream
    return TurnInput(
        turn_id=TurnId(f"{stream}:turn"),
        session_id=SessionId(stream),
        owner=stream,
        thread_id=ThreadId(stream),
        role=SessionRole.REVIEWER,
        agent=check.agent,
        prompt=Prompt(fields={"message": QUESTION}),
        workspace=WorkspaceSpec(
            workspace_id=stream.replace("/", "-"),
            kind=WorkspaceKind.PLANNING,
            repository=check.repository or "",
            thread_id=ThreadId(stream),
            base="HEAD",
        ),
        idle_timeout=timedelta(seconds=TRY_SECONDS),
    )
