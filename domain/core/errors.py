"""The errors a person or an agent can cause, as one tree with stable wire names.

TreadleError
├── InvalidError          the input is wrong in itself: a plan, a template, a name, a repository
├── ConflictError         the input is fine, the moment is not: decided, trusted, ended, stale
├── NotFoundError         no such thread, task, session or request
├── ForbiddenError        the code of a decision is wrong
├── AgentError            an agent did not start, exited, fell silent or spoke garbage
├── UnavailableError      Temporal does not answer
├── SupersededError       a newer attempt took the workspace over
├── JournalError          the journal's database cannot be opened, read or written
└── WorkspaceError        git or the file system refused

Branches of one subject lie with it: domain/agent_errors.py, domain/publishing/errors.py.
A message says what, which, and what to do. `type` is the contract of all doors: the type of an
`ApplicationError`, the `type` of a problem+json answer, the reason in a `command_rejected` event.
"""

from datetime import datetime
from typing import ClassVar

WORKER_LOST = "worker_lost"
"""The type of the failure of an activity whose worker died; a workflow sees it of cancelled ones only."""


class TreadleError(Exception):
    """Anything that Treadle refuses or reports; `type` is its stable wire name."""

    type: ClassVar[str] = "treadle_error"
    status: ClassVar[int] = 500
    is_retryable: ClassVar[bool] = False
    field: str | None = None  # of the request, where whoever reads that knows which one is meant

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidError(TreadleError):
    """The input is invalid; retrying does not help."""

    type = "invalid"
    status = 422


class InvalidPlanError(InvalidError):
    """A proposed plan is invalid; the message lists all problems, one per line."""

    type = "invalid_plan"

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class InvalidAmendmentError(InvalidError):
    """An amendment is invalid; the message lists all problems."""

    type = "invalid_amendment"


class HasDependentsError(InvalidError):
    """A task that others depend on cannot be removed alone; the message lists them."""

    type = "has_dependents"


class UnknownDependencyError(InvalidError):
    """A task depends on one that is not in the plan."""

    type = "unknown_dependency"


class UnknownTaskError(InvalidError):
    """An amendment refers to a task that is not in the plan."""

    type = "unknown_task"


class CycleError(InvalidError):
    """A task or thread would depend on itself; the message names the cycle."""

    type = "cycle"


class TooDeepError(InvalidError):
    """Threads are nested too deeply."""

    type = "too_deep"


class WarningsNotAcknowledgedError(InvalidError):
    """The plan has warnings that must be acknowledged; the message lists them."""

    type = "warnings_not_acknowledged"


class UnknownAgentError(InvalidError):
    """Unknown agent."""

    type = "unknown_agent"


class UnknownTemplateError(InvalidError):
    """Unknown template."""

    type = "unknown_template"


class InvalidTemplateError(InvalidError):
    """The file of a template is invalid; the message says where and why."""

    type = "invalid_template"


class RepositoryError(InvalidError):
    """The folder cannot be used: it is not a git repository, is bare, or has no commit."""

    type = "unusable_repository"


class BranchConflictError(RepositoryError):
    """A branch cannot be created because another one is in the way, like `main` for `main/x`."""

    type = "branch_conflict"
    status = 409


class ConflictError(TreadleError):
    """The input is valid, but not possible in the current state."""

    type = "conflict"
    status = 409


class WrongStateError(ConflictError):
    """The thread, task or session is in a state that does not allow this."""

    type = "wrong_state"


class TaskCompletedError(ConflictError):
    """A completed task cannot be changed."""

    type = "task_completed"


class TaskRunningError(ConflictError):
    """A running task can only be aborted."""

    type = "task_running"


class DuplicateIdError(ConflictError):
    """The id is already in use."""

    type = "duplicate_id"


class StaleError(ConflictError):
    """The state has changed since; the message says how."""

    type = "stale"


class AlreadyDecidedError(ConflictError):
    """The request is already decided; the message names the outcome."""

    type = "already_decided"


class TooManyQuestionsError(WrongStateError):
    """An agent has too many open questions."""

    type = "too_many_questions"


class NotShownError(ConflictError):
    """The content hash does not match the current request, which has changed since it was reviewed."""

    type = "not_what_was_shown"


class TemplateNotTrustedError(ConflictError):
    """A template acts without asking, and its current file is not trusted."""

    type = "template_not_trusted"


class TemplateExistsError(ConflictError):
    """A template of that name exists; it was not replaced."""

    type = "template_exists"


class KeyReusedError(ConflictError):
    """A command id was used for another command; each command needs its own."""

    type = "key_reused"


class NotFoundError(TreadleError):
    """Not found."""

    type = "not_found"
    status = 404


class ForbiddenError(TreadleError):
    """The code of a decision is not for this workflow, request, choice and content."""

    type = "code_refused"
    status = 403


class AgentError(TreadleError):
    """An agent did not start, exited, stopped responding or sent invalid output; a person is asked."""

    type = "agent_failed"
    status = 502


class AgentDiedError(AgentError):
    """An agent's process exited during a turn, or while it resumed a session; it may be resumed."""

    type = "agent_died"


class ContextFullError(AgentError):
    """The context of an agent's model is full; a new session can continue."""

    type = "context_full"


class RefusedByProviderError(AgentError):
    """A model's provider refused a turn; `retry_at` is when to retry, if known."""

    type = "provider_refused"

    def __init__(self, message: str, retry_at: datetime | None = None) -> None:
        super().__init__(message)
        self.retry_at = retry_at


class LoginNeededError(AgentError):
    """The agent needs a login; the message says how."""

    type = "login_needed"


class TurnAsleepError(TreadleError):
    """A turn has stopped its process while it waits for a person; it continues with the answer."""

    type = "turn_asleep"


class UnavailableError(TreadleError):
    """Temporal or a worker does not answer; retrying is safe."""

    type = "unavailable"
    status = 503
    is_retryable = True


class NotConfirmedError(UnavailableError):
    """No worker answered in time; the command may still be carried out. Retry with the same id."""

    type = "not_confirmed"


class JournalError(TreadleError):
    """The journal's database cannot be opened, read or written; the message says why."""

    type = "journal_unavailable"
    status = 503
    is_retryable = True


class SupersededError(TreadleError):
    """A newer attempt uses the workspace; this one ends, and its result is discarded."""

    type = "superseded"
    status = 409
    is_retryable = True


class WorkspaceError(TreadleError):
    """Git or the file system failed; the message has the command and the end of its output."""

    type = "workspace_failed"
    status = 503
    is_retryable = True


def error_named(name: str, message: str) -> TreadleError:
    """Return the error of a wire name; a plain `InvalidError` for one that no error has."""
    kinds = [TreadleError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return next((kind for kind in kinds if kind.type == name), InvalidError)(message)
