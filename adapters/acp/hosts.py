"""Hosts that no list has: put to the person as permissions, once for a session."""

import asyncio
from contextlib import suppress
from functools import partial

from adapters.acp.questions import QuestionChannel, Questions
from adapters.egress.doors import Gate, Verdict
from adapters.tools.grants import Grant
from domain.agents.agents import TurnInput
from domain.agents.permissions import ALLOW_ONCE, REJECT_ONCE, PermissionMode
from domain.conversations.questions.question import Asked, QuestionKind, QuestionOption
from domain.conversations.questions.rules import PermissionStatus
from domain.core.errors import TreadleError
from domain.core.ids import SessionId, TurnId

MAX_SESSIONS = 200
TOOL = "network"
_OPTIONS = (
    QuestionOption(option_id=ALLOW_ONCE, label="Allow", kind=ALLOW_ONCE),
    QuestionOption(option_id=REJECT_ONCE, label="Deny", kind=REJECT_ONCE),
)
_DETAIL = (
    "A process of the agent wants to reach {host} by HTTPS (TCP 443). What it sends there is not seen. "
    "The host is in no list: not in Treadle's own of registries and forges, not in the agent's profile, "
    "and not in TREADLE_SANDBOX_HOSTS."
)


class HostApprovals:
    """Asks for hosts; one in a worker. An answer counts for all processes of the session."""

    def __init__(self, channel: QuestionChannel) -> None:
        self._channel = channel
        self._known: dict[SessionId, dict[str, asyncio.Task[Verdict]]] = {}

    def gate(self, grant: Grant) -> Gate:
        """Return who is asked for the hosts of a session, in the turn that runs then."""
        return Gate(partial(self._ask, grant))

    def gate_of(self, turn: TurnInput) -> Gate:
        """Return who is asked for the hosts of a process that a turn started."""
        grant = Grant(turn.session_id, turn.owner, turn.thread_id, turn.role, turn_id=turn.turn_id)
        return self.gate(grant)

    async def _ask(self, grant: Grant, host: str) -> Verdict:
        if self._channel.mode is PermissionMode.ALLOW:
            return Verdict(is_allowed=True, words="nothing is asked (TREADLE_PERMISSIONS)")
        known = self._known.pop(grant.session_id, {})
        self._known[grant.session_id] = known
        while len(self._known) > MAX_SESSIONS:
            self._known.pop(next(iter(self._known)))
        task = known.get(host)
        if task is None or (task.done() and not _is_allowed(task)):
            asking = self._asked(grant, grant.turn_id, host)
            task = known[host] = asyncio.create_task(asking, name=f"may {host}")
        return await asyncio.shield(task)

    async def _asked(self, grant: Grant, turn_id: TurnId | None, host: str) -> Verdict:
        if turn_id is None:
            return Verdict(None, "no turn runs in which a person could be asked")
        asked = Asked(
            kind=QuestionKind.PERMISSION,
            title=f"reach {host}",
            tool=TOOL,
            detail=_DETAIL.format(host=host),
            scope=f"{TOOL}: {host}",
            options=_OPTIONS,
        )
        questions = Questions(self._channel, grant, lambda _error: None)
        try:
            state = await questions.state_of(asked)
        except TimeoutError:
            return Verdict(None, "nobody has answered")
        except TreadleError as error:
            return Verdict(None, f"nobody could be asked: {error.message}")
        is_ruled = state.status is PermissionStatus.RULED
        return Verdict(state.is_allowed if is_ruled else state.chosen == 0, state.words)


def _is_allowed(task: asyncio.Task[Verdict]) -> bool:
    with suppress(asyncio.CancelledError):
        return task.exception() is None and task.result().is_allowed is True
    return False
