"""What a run may be started with: who its agents are, and that it is not too large for a history."""

from domain.core.errors import ConflictError, InvalidError
from domain.core.wire import size_bytes
from domain.flows.definition import FlowDefinition
from domain.flows.events import ChosenAgent

MAX_DEFINITION_BYTES = 90 << 10
MAX_SLOTS = 100
MAX_MESSAGE = 60_000
"""Characters that an agent gets of one text of the journal."""


class AgentUnavailableError(ConflictError):
    """No usable agent for an agent type of a flow; the message says how to choose one."""

    type = "agent_unavailable"


class AgentMismatchError(InvalidError):
    """The run belongs to another flow."""

    type = "agent_mismatch"
    status = 400


class TooLargeError(InvalidError):
    """A flow is too large to run."""

    type = "too_large"


class WorkingFolderError(InvalidError):
    """The working folder cannot be used; the message says why and what to do."""

    type = "working_folder_invalid"
    status = 400


class RelativeFolderError(WorkingFolderError):
    """The working folder is not an absolute path."""

    type = "working_folder_relative"


class MissingFolderError(WorkingFolderError):
    """The working folder is missing or does not exist."""

    type = "working_folder_missing"


class NoFolderError(WorkingFolderError):
    """The working folder is not a folder."""

    type = "working_folder_not_a_folder"


class NoRepositoryError(WorkingFolderError):
    """The working folder is not in a usable git repository."""

    type = "working_folder_not_a_repository"


class RunRequestError(InvalidError):
    """The fields of a request contradict each other."""

    type = "invalid_request"
    status = 400


def refuse_large(definition: FlowDefinition, compact_bytes: int) -> None:
    """Refuse a flow that a run cannot carry.

    Raises:
        TooLargeError: It is one.
    """
    for flow in definition.whole:
        if len(flow.slots) > MAX_SLOTS:
            raise TooLargeError(f"it has {len(flow.slots)} conversations, {MAX_SLOTS} is the most")
    if compact_bytes > MAX_DEFINITION_BYTES:
        raise TooLargeError(
            f"its steps need {compact_bytes >> 10} KiB without their long texts, "
            f"{MAX_DEFINITION_BYTES >> 10} is the most: make several flows of it"
        )
    for step in (step for flow in definition.whole for step in flow.steps):
        if any(len(message) > MAX_MESSAGE for message in step.messages):
            raise TooLargeError(
                f"a message of step {step.index} is longer than {MAX_MESSAGE} characters"
            )


def chosen_for(
    definition: FlowDefinition, wanted: dict[str, ChosenAgent], default: ChosenAgent | None
) -> dict[str, ChosenAgent | None]:
    """Return what each agent type of a flow was chosen to be; None where only its name says.

    Raises:
        AgentUnavailableError: A type was chosen that the flow does not have.
    """
    types = definition.agent_types
    unknown = [name for name in wanted if name not in types]
    if unknown:
        known = ", ".join(types) or "none"
        raise AgentUnavailableError(f"the flow has no agent type {unknown[0]!r}; it has: {known}")
    return {name: wanted.get(name, default) for name in types}


def size_of(compacted: dict[str, object]) -> int:
    """Return how large a definition is in a history."""
    return size_bytes(compacted)
