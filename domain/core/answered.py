"""What a workflow has answered, by command id: the same id again is the same answer, for good.

It is carried through continue-as-new, so a line or a request that was used once never acts again.
"""

import hashlib

from domain.core.command import AgentCommand, Answer, Coded, Command
from domain.core.errors import KeyReusedError
from domain.core.ids import CommandId
from domain.core.wire import Wire

MAX_ANSWERS = 500
"""How many of the newest answers of each kind are kept."""

MAX_REPORTS = 200
MAX_REFUSALS = 100
TAKEN = Answer(message="this was already recorded; nothing changed")


class GivenAnswer(Wire):
    """The fingerprint of a command and its answer."""

    fingerprint: str
    answer: Answer


class Refusal(Wire):
    """Why a command that nobody waited for was not carried out."""

    type: str
    message: str


class Outcome(Wire):
    """What became of a command: its answer or its refusal; neither while it was not taken.

    An answer carries the `fingerprint` of the command that it was given to.
    """

    answer: Answer | None = None
    fingerprint: str = ""
    refusal: Refusal | None = None

    def given_to(self, command: Command) -> Answer | None:
        """Return the answer that a command got, None if it got none.

        Raises:
            KeyReusedError: Another command came with its id.
        """
        if self.answer is None or not self.fingerprint:  # a worker of an earlier build gives none
            return None
        return _the_same(command, self.fingerprint, self.answer)

    @property
    def is_waiting(self) -> bool:
        """Whether the workflow has not taken it, or does not know it any more."""
        return self.answer is None and self.refusal is None


class Answered(Wire):
    """The newest answers to people's commands, the oldest first.

    Anybody may send what stops something; so its answers are kept apart, and push out none of those
    to commands that needed a code. Of agents' reports only the ids are kept, which name their turn: a copy of
    one changes nothing in a later turn. `refusals` are of signals of our own programs, to be asked for.
    """

    answers: dict[CommandId, GivenAnswer] = {}
    stops: dict[CommandId, GivenAnswer] = {}
    reports: tuple[CommandId, ...] = ()
    refusals: dict[CommandId, Refusal] = {}

    def answer_to(self, command: Command) -> Answer | None:
        """Return the answer that a command got when it came before.

        Raises:
            KeyReusedError: Another command came with its id.
        """
        if isinstance(command, AgentCommand):
            return TAKEN if command.command_id in self.reports else None
        given = self.answers.get(command.command_id)
        if given is None and not isinstance(command, Coded):
            given = self.stops.get(command.command_id)
        if given is None or not command.command_id:
            return None
        return _the_same(command, given.fingerprint, given.answer)

    def outcome(self, command_id: CommandId) -> Outcome:
        """Return what became of a person's command."""
        given = self.answers.get(command_id) or self.stops.get(command_id)
        if given is not None:
            return Outcome(answer=given.answer, fingerprint=given.fingerprint)
        return Outcome(refusal=self.refusals.get(command_id))

    def refusing(self, command_id: CommandId, refusal: Refusal) -> "Answered":
        """Return what is known once a signal was refused."""
        newest = list(self.refusals.items())[1 - MAX_REFUSALS :]
        return self.model_copy(update={"refusals": {**dict(newest), command_id: refusal}})

    def after(self, command: Command, answer: Answer) -> "Answered":
        """Return what is known once a command has been answered."""
        if not command.command_id:
            return self
        if isinstance(command, AgentCommand):
            newest = (*self.reports, command.command_id)[-MAX_REPORTS:]
            return self.model_copy(update={"reports": newest})
        given = GivenAnswer(fingerprint=fingerprint(command), answer=answer)
        if isinstance(command, Coded):
            return self.model_copy(
                update={"answers": _with(self.answers, command.command_id, given)}
            )
        return self.model_copy(update={"stops": _with(self.stops, command.command_id, given)})


def _the_same(command: Command, known: str, answer: Answer) -> Answer:
    if known != fingerprint(command):
        raise KeyReusedError(
            f"the command id {command.command_id[:80]!r} was used for another command: "
            "give each command an id of its own"
        )
    return answer


def _with(
    answers: dict[CommandId, GivenAnswer], command_id: CommandId, given: GivenAnswer
) -> dict[CommandId, GivenAnswer]:
    newest = list(answers.items())[1 - MAX_ANSWERS :]
    return {**dict(newest), command_id: given}


def fingerprint(command: Command) -> str:
    """Return a short hash of everything a command says, but for its code and who says it."""
    payload = command.model_dump_json(exclude={"code", "by", "sent_to", "addressed_to"})
    return hashlib.sha256(f"{command.door} {payload}".encode()).hexdigest()[:16]
