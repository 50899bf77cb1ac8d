"""The errors a person or an agent can cause, as one tree with stable wire names.

TreadleError
├── InvalidError          the input is wrong in itself
│   ├── InvalidPlanError      every problem of a plan at once
│   ├── UnknownAgentError     no such agent
│   ├── UnknownTemplateError  no such template
│   └── RepositoryError       not usable as a repository
├── ConflictError         the input is fine, the moment is not
│   ├── WrongStateError       not in this state
│   ├── AlreadyDecidedError   somebody decided otherwise
│   ├── KeyReusedError        the command's id was used for another command
│   └── NotShownError         the decision names other content than was shown
├── NotFoundError         no such thread, task, session or request
├── ForbiddenError        the code of a decision is wrong
├── AgentError            an agent did not start, exited, fell silent or spoke garbage
├── UnavailableError      Temporal does not answer
│   └── NotConfirmedError     no worker answered in time; the command may yet be carried out
├── SupersededError       a newer attempt took the workspace over
├── JournalError          the journal's database cannot be opened, read or written
└── WorkspaceError        git or the file system refused

A message says what, which, and what to do. `type` is the contract of all doors: the type of an
`ApplicationError`, the `type` of a problem+json answer, the reason in a `command_rejected` event.
"""

from typing import ClassVar

WORKER_LOST = "worker_lost"
"""The type of the failure of an activity whose worker died; a workflow sees it of cancelled ones only."""


class TreadleError(Exception):
    """Anything that Treadle refuses or reports; `type` is its stable wire name."""

    type: ClassVar[str] = "treadle_error"
    status: ClassVar[int] = 500
    is_retryable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidError(TreadleError):
    """The input is wrong in itself; sending it again cannot help."""

    type = "invalid"
    status = 422


class InvalidPlanError(InvalidError):
    """A proposed plan has problems; the message lists all of them, one a line."""

    type = "invalid_plan"


class UnknownAgentError(InvalidError):
    """No agent has that name."""

    type = "unknown_agent"


class UnknownTemplateError(InvalidError):
    """No template has that name."""

    type = "unknown_template"


class RepositoryError(InvalidError):
    """A folder cannot be worked on: not a repository, bare, or without a commit."""

    type = "unusable_repository"


class ConflictError(TreadleError):
    """The input is fine, but not now."""

    type = "conflict"
    status = 409


class WrongStateError(ConflictError):
    """The thread, task or session is not in a state that takes this command."""

    type = "wrong_state"


class AlreadyDecidedError(ConflictError):
    """The request was decided by another command; the message names the outcome."""

    type = "already_decided"


class NotShownError(ConflictError):
    """The decision's content hash is not the hash of what is waiting."""

    type = "not_what_was_shown"


class KeyReusedError(ConflictError):
    """A command id comes again with another command: each command needs an id of its own."""

    type = "key_reused"


class NotFoundError(TreadleError):
    """Nothing has that id."""

    type = "not_found"
    status = 404


class ForbiddenError(TreadleError):
    """The decision's code was not made for this workflow, request, choice and content."""

    type = "code_refused"
    status = 403


class AgentError(TreadleError):
    """An agent did not start, exited, fell silent or spoke garbage; the thread waits for a person."""

    type = "agent_failed"
    status = 502


class UnavailableError(TreadleError):
    """Temporal does not answer, or no worker takes the command; sending it again is safe."""

    type = "unavailable"
    status = 503
    is_retryable = True


class NotConfirmedError(UnavailableError):
    """No worker answered in time; the command may still be carried out, and its id makes it once."""

    type = "not_confirmed"


class JournalError(TreadleError):
    """The journal's database cannot be opened, read or written; the message says why."""

    type = "journal_unavailable"
    status = 503
    is_retryable = True


class SupersededError(TreadleError):
    """A newer attempt took the workspace over: this one's result is nobody's, and it ends here."""

    type = "superseded"
    status = 409
    is_retryable = True


class WorkspaceError(TreadleError):
    """Git or the file system refused; the message names the command and its last words."""

    type = "workspace_failed"
    status = 503
    is_retryable = True
