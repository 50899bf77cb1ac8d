"""Asks an agent for one turn: with which prompt, in which of its sessions, again where it died."""

import asyncio
import base64
from hashlib import sha256
from pathlib import Path

from temporalio import activity

from activities.claims import attempts_upto
from activities.quotes import Quotes
from activities.spending import Spending, prompt_event
from activities.turn_recorder import TurnRecorder
from domain.agents.agents import AgentAnswer, AgentCall, Prompt, PromptName, TurnInput
from domain.agents.ports import AgentRunner
from domain.agents.updates import TOOL_CALLS, kind_of
from domain.conversations.events import (
    AgentNotice,
    AgentSessionOpened,
    AgentUpdate,
    PromptSent,
    ToolCalled,
    TurnUsageUpdated,
)
from domain.core.attachments import AttachedFile
from domain.core.errors import AgentDiedError, ContextFullError
from domain.core.event import EventBody
from domain.core.ids import EventId
from domain.core.ports import Fence, Journal
from domain.learnings.events import LearningsOffered

MAX_TRIES = 3
"""How often one attempt at a turn starts an agent whose process ends by itself."""

_PAUSE_SECONDS = 0.5
_MAX_NOTICE = 2_000


class AgentAttempt:
    """One attempt at one turn. No prompt is sent twice, whichever attempt or try sent it before."""

    def __init__(
        self,
        journal: Journal,
        runner: AgentRunner,
        recorder: TurnRecorder,
        turn: TurnInput,
        *,
        spending: Spending,
        quotes: Quotes,
    ) -> None:
        self._spending = spending
        self._quotes = quotes
        self._journal = journal
        self._runner = runner
        self._recorder = recorder
        self._turn = turn
        self._prompt = turn.prompt
        self._primer = turn.primer
        self._attempt = recorder.attempt
        self._try = 1
        self._was_sent = False
        self._is_at_work = False
        self._opened: str | None = None
        self._session: str | None = None
        self._is_new = False
        self._offered: LearningsOffered | None = None

    async def ask(self, directory: Path, ports: tuple[int, ...], fence: Fence) -> AgentAnswer:
        """Have the agent take the turn; one that dies in it is resumed, three times in all.

        One that died twice while it reopened its session gets a new one, and so does one whose
        context is full.

        Raises:
            AgentError: See the runner's port.
            SupersededError: A newer attempt ended the agent.
        """
        may_be_sent = self._attempt > 1 or self._turn.refusals > 0
        self._was_sent = may_be_sent and await self._journal.event(self._prompt_id) is not None
        if self._was_sent:
            self._spending.cut()
        self._prompt = await self._with_learnings(await self._quotes.insert(self._turn.prompt))
        primer = self._turn.primer
        self._primer = primer and await self._quotes.insert(primer)
        given = {"sandbox_ports": ports, "files": await self._files()}
        session, unopened = await session_of(self._journal, self._turn, self._attempt - 1), 0
        while True:
            self._opened, self._is_new, self._session = None, False, session
            self._is_at_work = await self._began(session)
            call = self._call(directory, session).model_copy(update=given)
            try:
                answer = await self._runner.run_turn(call, self._record, activity.heartbeat)
            except (AgentDiedError, ContextFullError) as error:
                fence.refuse_stale()
                is_full = isinstance(error, ContextFullError)
                if self._try == MAX_TRIES or (is_full and self._is_new):
                    raise
                failure = error.message
            else:
                self._spending.answered(answer)
                return answer
            unopened += self._opened is None
            is_lost = is_full or unopened == MAX_TRIES - 1
            session = None if is_lost else self._opened or session
            await self._begin_again(failure)

    async def _with_learnings(self, prompt: Prompt) -> Prompt:
        prompt, self._offered = await self._quotes.with_learnings(prompt, self._turn.session_id)
        return prompt

    @property
    def _prompt_id(self) -> EventId:
        return prompt_event(self._turn)

    def _call(self, directory: Path, session: str | None) -> AgentCall:
        """Return the next try, with what to say in the earlier session, and in a new one."""
        text = self._quotes.render(self._prompt)
        fresh = self._with_rules(self._primed(text))
        known = self._with_rules(text) if self._turn.explains_plan_files else text
        prompt = fresh if self._turn.agent_session is None else known
        if self._was_sent:
            # who began with it has it in the session, and would begin anew
            prompt = self._interrupted("" if self._is_at_work else prompt)
            fresh = self._interrupted(fresh)
        return AgentCall(
            turn=self._turn,
            directory=directory,
            prompt=prompt,
            fresh_prompt=fresh,
            agent_session=session,
        )

    async def _files(self) -> tuple[AttachedFile, ...]:
        """Return what is attached to the turn's prompt; what is not kept any more is told of."""
        found: list[AttachedFile] = []
        for attached in self._turn.prompt.attachments:
            text = await self._journal.text(attached.content_ref)
            try:
                content = base64.b64decode(text or "", validate=True)
            except ValueError:
                content = b""
            if content:
                found.append(AttachedFile(name=attached.name, content=content))
                continue
            gone = f"the attached file {attached.name!r} is not there"
            await self._recorder.record(AgentNotice(turn_id=self._turn.turn_id, message=gone))
        return tuple(found)

    def _primed(self, text: str) -> str:
        if self._primer is None:
            return text
        fields = {**self._primer.fields, "request": text}
        return self._quotes.render(self._primer.model_copy(update={"fields": fields}))

    def _with_rules(self, text: str) -> str:
        """Return a prompt for an agent that knows nothing yet, with the rules of plan files."""
        if not self._turn.has_plan_files:
            return text
        return f"{text}\n\n{self._quotes.render(Prompt(name=PromptName.PLAN_FILES))}"

    def _interrupted(self, text: str) -> str:
        fields = {"request": text, "answered": self._turn.answered}
        prompt = Prompt(name=PromptName.INTERRUPTED, fields=fields)
        return self._quotes.render(prompt)

    async def _began(self, session: str | None) -> bool:
        """Tell whether a session of the agent has called a tool in this turn, so that it has the prompt."""
        event_id = _work_event(self._turn, session)
        return session is not None and await self._journal.event(event_id) is not None

    async def _record(self, body: EventBody) -> None:
        if isinstance(body, AgentSessionOpened):
            # durable before the first prompt, so that a retry finds the agent's session
            self._opened, self._is_new = body.agent_session, not body.is_resumed
            self._spending.opened(body)
            name = _session_event(self._turn, self._attempt, self._try)
            await self._recorder.append(name, body)
            self._session = body.agent_session
            self._is_at_work = await self._began(body.agent_session)
        elif isinstance(body, TurnUsageUpdated):
            await self._recorder.record(*self._spending.add(body))
        elif not self._is_at_work and _is_work(body):
            self._is_at_work = True
            await self._recorder.record(body, _work_event(self._turn, self._session))
        elif isinstance(body, PromptSent):
            await self._record_prompt(body)
        else:
            await self._recorder.record(body)

    async def _record_prompt(self, body: PromptSent) -> None:
        """Note a prompt that is sent now, and the learnings that it tells of."""
        offered = self._offered
        if offered is not None and any(f"[{name}]" in body.text for name in offered.learning_ids):
            await self._recorder.record(offered, _offer_event(self._turn, offered))
            self._offered = None  # another try of this attempt tells of the same
        if self._was_sent:
            await self._recorder.record(body)
            return
        self._was_sent = True
        self._spending.cut()
        await self._recorder.append(self._prompt_id, body)

    async def _begin_again(self, failure: str) -> None:
        self._try += 1
        self._spending.begin_again()
        message = (
            f"{failure[:_MAX_NOTICE]}\nStarting it again (attempt {self._try} of {MAX_TRIES})."
        )
        await self._recorder.record(AgentNotice(turn_id=self._turn.turn_id, message=message))
        await asyncio.sleep(_PAUSE_SECONDS)


async def session_of(journal: Journal, turn: TurnInput, newest: int) -> str | None:
    """Return the agent's session: of this turn up to an attempt, else of earlier turns."""
    for attempt in attempts_upto(newest):
        for tried in range(MAX_TRIES, 0, -1):
            event = await journal.event(_session_event(turn, attempt, tried))
            if event is not None and isinstance(event.body, AgentSessionOpened):
                return event.body.agent_session
    return turn.agent_session


def _is_work(body: EventBody) -> bool:
    """Tell whether an event shows that the agent does something about its prompt."""
    if isinstance(body, AgentUpdate):
        return kind_of(body.update) in TOOL_CALLS
    return isinstance(body, ToolCalled)


def _offer_event(turn: TurnInput, offered: LearningsOffered) -> EventId:
    """Return the id of an offer's event: once for each, as a later attempt may tell of others."""
    label = sha256(" ".join(offered.learning_ids).encode()).hexdigest()[:16]
    return EventId(f"{turn.turn_id}:offered:{label}")


def _work_event(turn: TurnInput, session: str | None) -> EventId:
    """Return the id of the first event that shows a session of the agent at work in a turn."""
    label = sha256((session or "").encode()).hexdigest()[:16]
    return EventId(f"{turn.turn_id}:work:{label}")


def _session_event(turn: TurnInput, attempt: int, tried: int) -> EventId:
    """Return the id of the event that a try of an attempt opened the agent's session."""
    label = f"{attempt}" if turn.refusals == 0 else f"{turn.refusals}.{attempt}"
    again = "" if tried == 1 else f"-{tried}"
    return EventId(f"{turn.turn_id}:session:{label}{again}")
