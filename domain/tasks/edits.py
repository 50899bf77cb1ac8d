"""A person's own changes to work that waits at its gate: suggested lines, applied and verified again.

They are of the work that was shown: another request or hash is refused. The gate is withdrawn at once, so nothing
can be approved while files change; it opens again on what is verified then, or as it was where nothing was applied.
"""

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from domain.conversations.messages import A_PERSON
from domain.core.approvals import Subject, content_hash
from domain.core.command import Answer, Verdict
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, NotShownError, WrongStateError
from domain.core.event import EventBody
from domain.core.suggestions import MAX_SUGGESTIONS, Suggestion, check_suggestions
from domain.core.text import counted
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot
from domain.tasks.effects import ApplyEdits, TaskEffect
from domain.tasks.events import GateWithdrawn
from domain.tasks.outcomes import gate_again, verification
from domain.tasks.registry import TASK_RULES
from domain.tasks.stages import Editing
from domain.tasks.state import Phase, TaskState


class Suggested(Wire):
    """What the code of suggestions is bound to."""

    shown: str
    suggestions: tuple[Suggestion, ...]


class ApplySuggestions(Verdict):
    """Put suggested lines in the place of others, in the work that a gate shows; all of them or none."""

    door = "apply_suggestions"

    suggestions: tuple[Suggestion, ...] = Field(max_length=MAX_SUGGESTIONS)

    @property
    def choice(self) -> str:
        """That lines are to be applied."""
        return self.door

    @property
    def content(self) -> str:
        """What was shown, and the lines: a copy of the code is worth nothing with others."""
        return content_hash(Suggested(shown=self.content_hash, suggestions=self.suggestions))


class EndEdits(Wire):
    """The suggestions were applied and committed, or why not."""

    key: str
    snapshot: Snapshot | None = None
    failure: str = ""


class SuggestionsAccepted(EventBody):
    """A person has suggested lines applied to the work at its gate."""

    kind: Literal["suggestions_accepted"] = "suggestions_accepted"
    key: str
    by: str
    suggestions: tuple[Suggestion, ...] = ()


class SuggestionsApplied(EventBody):
    """They are in a commit of the task, which is verified next."""

    kind: Literal["suggestions_applied"] = "suggestions_applied"
    key: str
    by: str = ""
    snapshot: Snapshot


class SuggestionsRefused(EventBody):
    """None of them was applied; the work is as it was."""

    kind: Literal["suggestions_refused"] = "suggestions_refused"
    key: str
    failure: str


@TASK_RULES.requires
def apply_edits(state: TaskState) -> Iterable[TaskEffect]:
    if state.editing is not None and state.end is None:
        yield ApplyEdits(number=state.editing.number)


@TASK_RULES.handles
def accept_suggestions(command: ApplySuggestions, state: TaskState) -> Decided:
    if command.command_id and command.command_id in state.edited:
        return Decided(answer=_again(command.command_id, state))
    request = state.request
    if request is None or request.subject is not Subject.GATE:
        raise NotFoundError(f"no open gate {command.request_id!r}: nothing can be applied")
    if (request.request_id, request.content_hash) != (command.request_id, command.content_hash):
        raise NotShownError(
            f"the work changed since it was shown: the gate is {request.request_id!r} on content "
            f"{request.content_hash[:12]}. Look at it again, then apply"
        )
    if state.turn is not None:
        raise WrongStateError("an agent is at work on these files: wait for the end of its turn")
    if state.snapshot is None:
        raise WrongStateError("the task changed no files: there is nothing to apply to")
    check_suggestions(command.suggestions)
    key = command.command_id or f"{request.request_id}/edits"
    accepted = SuggestionsAccepted(
        key=key, by=command.by or A_PERSON, suggestions=command.suggestions
    )
    withdrawn = GateWithdrawn(request_id=request.request_id)
    done = f"applying {counted(len(command.suggestions), 'suggestion')}, then verifying again"
    return Decided((accepted, withdrawn), Answer(message=done))


def _again(key: str, state: TaskState) -> Answer:
    """Return what became of suggestions that are sent again.

    Raises:
        WrongStateError: Nothing came of them.
    """
    if key in state.unapplied:
        raise WrongStateError(
            "these suggestions could not be applied, and nothing was changed: look at the work, and send them "
            "again as a new command"
        )
    is_going_on = state.editing is not None and state.editing.key == key
    return Answer(message="being applied" if is_going_on else "already applied")


@TASK_RULES.handles
def end_edits(command: EndEdits, state: TaskState) -> Decided:
    editing = state.editing
    if editing is None or editing.key != command.key or state.end is not None:
        return Decided()
    if command.snapshot is None:
        refused = SuggestionsRefused(key=command.key, failure=command.failure)
        after = TASK_RULES.evolve(state, refused)
        return Decided((refused, *gate_again(after)))
    applied = SuggestionsApplied(key=command.key, by=editing.by, snapshot=command.snapshot)
    return Decided((applied, *verification(TASK_RULES.evolve(state, applied))))


@TASK_RULES.evolves
def apply_suggestions_accepted(event: SuggestionsAccepted, state: TaskState) -> TaskState:
    number = len(state.edited) + 1
    editing = Editing(key=event.key, number=number, by=event.by, suggestions=event.suggestions)
    changes = {"phase": Phase.EDITING, "editing": editing, "edited": (*state.edited, event.key)}
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_suggestions_applied(event: SuggestionsApplied, state: TaskState) -> TaskState:
    return state.model_copy(
        update={"editing": None, "snapshot": event.snapshot, "failed_in_a_row": 0}
    )


@TASK_RULES.evolves
def apply_suggestions_refused(event: SuggestionsRefused, state: TaskState) -> TaskState:
    unapplied = (*state.unapplied, event.key)
    return state.model_copy(update={"editing": None, "unapplied": unapplied})
