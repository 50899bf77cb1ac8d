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

    def __init__(self, message: str, problems: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class InvalidAmendmentError(InvalidError):
    """An amendment has problems of several kinds, or of its shape; the message lists all of them."""

    type = "invalid_amendment"


class HasDependentsError(InvalidError):
    """A task that others need can't be removed alone; the message lists them."""

    type = "has_dependents"


class UnknownDependencyError(InvalidError):
    """A task can't wait for one that is not in the plan."""

    type = "unknown_dependency"


class UnknownTaskError(InvalidError):
    """An amendment names a task that is not in the plan."""

    type = "unknown_task"


class CycleError(InvalidError):
    """A task or a thread would wait for itself; the message names the path."""

    type = "cycle"


class TooDeepError(InvalidError):
    """A thread has too many threads above it."""

    type = "too_deep"


class WarningsNotAcknowledgedError(InvalidError):
    """A plan has warnings that must be acknowledged with its approval; the message lists them."""

    type = "warnings_not_acknowledged"


class UnknownAgentError(InvalidError):
    """No agent has that name."""

    type = "unknown_agent"


class UnknownTemplateError(InvalidError):
    """No template has that name."""

    type = "unknown_template"


class InvalidTemplateError(InvalidError):
    """A template's file can't be used; the message says where and why."""

    type = "invalid_template"


class RepositoryError(InvalidError):
    """A folder cannot be worked on: not a repository, bare, or without a commit."""

    type = "unusable_repository"


class BranchConflictError(RepositoryError):
    """A branch can't be made: one in its way is there, like `main` for `main/x`."""

    type = "branch_conflict"
    status = 409


class ConflictError(TreadleError):
    """The input is fine, but not now."""

    type = "conflict"
    status = 409


class WrongStateError(ConflictError):
    """The thread, task or session is not in a state that takes this command."""

    type = "wrong_state"


class TaskCompletedError(ConflictError):
    """A completed task never changes."""

    type = "task_completed"


class TaskRunningError(ConflictError):
    """A running task changes in no way but by an abort."""

    type = "task_running"


class DuplicateIdError(ConflictError):
    """A task of that id is in the plan already."""

    type = "duplicate_id"


class StaleError(ConflictError):
    """Something was made for a state that is no more; the message says what changed."""

    type = "stale"


class AlreadyDecidedError(ConflictError):
    """The request was decided by another command; the message names the outcome."""

    type = "already_decided"


class TooManyQuestionsError(WrongStateError):
    """An agent asks the person more than one can answer."""

    type = "too_many_questions"


class NotShownError(ConflictError):
    """The decision's content hash is not the hash of what is waiting."""

    type = "not_what_was_shown"


class TemplateNotTrustedError(ConflictError):
    """A template has commands, and the person has not trusted it as it is now."""

    type = "template_not_trusted"


class TemplateExistsError(ConflictError):
    """There is a template of that name already; nothing is replaced."""

    type = "template_exists"


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


class AgentDiedError(AgentError):
    """An agent's process ended by itself in a turn, or while it reopened a session; it may be resumed."""

    type = "agent_died"


class ContextFullError(AgentError):
    """What an agent's model was told is too long for it; a fresh session of the agent can go on."""

    type = "context_full"


class RefusedByProviderError(AgentError):
    """A model's provider refused an agent's turn; `retry_at` is when it takes turns again, if told."""

    type = "provider_refused"

    def __init__(self, message: str, retry_at: datetime | None = None) -> None:
        super().__init__(message)
        self.retry_at = retry_at


class LoginNeededError(AgentError):
    """An agent wants a login before it does anything; the message says how."""

    type = "login_needed"


class TurnAsleepError(TreadleError):
    """A turn gave its process up while it waits for a person; it goes on with the answer."""

    type = "turn_asleep"


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
