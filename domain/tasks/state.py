"""What is known of a task's run; how events change it is in domain/tasks/evolution.py."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field

from domain.agents.agents import DoneReport, PromptName, SessionRole
from domain.agents.limits.budgets import Budget, BudgetUse
from domain.agents.terminals import AllocatedPort, Terminal
from domain.conversations.conversation import Conversation, Message, without
from domain.conversations.events import TurnStarted
from domain.conversations.stats import TaskStats
from domain.conversations.turn import Turn, TurnState
from domain.core.approvals import ApprovalRequest, Outcome, without_feedback
from domain.core.four_eyes import Given
from domain.core.ids import SessionId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.tasks import events as task_events
from domain.tasks.learnings import Learning
from domain.tasks.stages import Editing, Planning, Reviewing
from domain.verification.judges.policy import JudgePolicy
from domain.verification.steps import VerificationAttempt, VerificationStep, reviews_in

MAX_NUDGES = 2

AT_GATE = "approval of the verified change"
AT_PLAN = "approval of the task's plan"
"""What a person is asked at a gate, in a phrase."""


class Phase(StrEnum):
    """Where a run stands; WAITING is for a person's message, AT_PLAN for approval of its plan."""

    NEW = "new"
    PLANNING = "planning"
    REVIEWING = "reviewing"
    AT_PLAN = "at_plan"
    WORKING = "working"
    WAITING = "waiting"
    VERIFYING = "verifying"
    AT_GATE = "at_gate"
    EDITING = "editing"
    ENDED = "ended"


PLANNING = frozenset({Phase.PLANNING, Phase.REVIEWING, Phase.AT_PLAN})
"""The phases before the work begins."""


class TaskState(TurnState):
    """One run of a task. `next_prompt` names the prompt of the worker's next turn.

    `conversations` are its sessions by id: its worker, planner and reviewers, and those that a person
    opened; one turn runs at a time. `messages` wait for the one that plans or does the work. `resumes`
    is the phase that a message leads back to. `is_review_held` tells that it waits for a person because
    a review could not be made. `cut_short` is the turn that ran when the task ended.
    """

    phase: Phase = Phase.NEW
    resumes: Phase = Phase.WORKING
    task: PlannedTask | None = None
    run: int = 1
    session_id: SessionId = SessionId("")
    branch: str | None = None
    max_retries: int = 3
    is_gate_automatic: bool = False
    gate_approvals: int = 1
    given: Given = {}
    """Who approved what is still open."""
    judge_policy: JudgePolicy | None = None
    keeps_asking: bool = False
    """Whether a gate that waits for a person is a person's to decide, whatever changes in its files."""
    planning: Planning | None = None
    conversations: dict[SessionId, Conversation] = {}
    next_prompt: PromptName = PromptName.TASK
    cut_short: Turn | None = None
    nudges: int = 0
    report: DoneReport | None = None
    is_blocked: bool = False
    snapshot: Snapshot | None = None
    doubts: tuple[str, ...] = ()
    reviewed: str | None = None
    """The commit that a person last sent back from the gate."""
    attempts: tuple[VerificationAttempt, ...] = ()
    reviewing: Reviewing | None = None
    is_review_held: bool = False
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    failed_in_a_row: int = 0
    editing: Editing | None = None
    edited: tuple[str, ...] = ()
    """The commands by which suggestions were accepted."""
    unapplied: tuple[str, ...] = Field(default=(), exclude_if=lambda keys: not keys)
    """Those of them of which nothing came."""
    request: ApprovalRequest | None = None
    is_passing: bool = False
    """Whether a policy may choose it, where it is a candidate at its gate."""

    outcomes: dict[str, Outcome] = {}
    messages: tuple[Message, ...] = ()
    ports: dict[str, int] = {}
    allocated: dict[str, AllocatedPort] = {}
    terminals: dict[str, Terminal] = {}
    budget: Budget = Budget()
    spent: BudgetUse = BudgetUse()
    stats: TaskStats = TaskStats()
    output: str = ""
    warnings: tuple[str, ...] = ()
    learned: tuple[Learning, ...] = ()
    end: task_events.TaskEnd | None = None
    reason: str = ""
    work_ms: int = 0

    @property
    def approvers(self) -> tuple[str, ...]:
        """The people who approved the change of a run that was accepted."""
        if self.end is not task_events.TaskEnd.ACCEPTED or not self.outcomes:
            return ()
        return next(reversed(self.outcomes.values())).people

    @property
    def worker(self) -> Conversation | None:
        """The conversation that does the task's work."""
        return self.conversations.get(self.session_id)

    @property
    def running(self) -> Conversation | None:
        """The conversation in which a turn runs."""
        return self.conversations.get(self.turn.session_id) if self.turn else None

    @property
    def turns(self) -> int:
        """The turns of the worker in this run."""
        return self.worker.own_turns if self.worker else 0

    @property
    def session_turns(self) -> int:
        """All turns of a worker that goes on with a session of the thread; 0 for one that does not."""
        worker = self.worker
        return worker.turns if worker is not None and worker.turns_before else 0

    @property
    def agent_session(self) -> str | None:
        """The worker's own session id at its agent."""
        return self.worker.agent_session if self.worker else None

    @property
    def attempt(self) -> VerificationAttempt | None:
        """The newest verification attempt."""
        return self.attempts[-1] if self.attempts else None

    @property
    def unresolved(self) -> tuple[str, ...]:
        """The files that still hold conflict markers, after the newest turn."""
        return self.snapshot.unresolved if self.snapshot else ()

    @property
    def steps(self) -> tuple[VerificationStep, ...]:
        """The task's verification steps, in order."""
        return self.task.verification if self.task else ()

    @property
    def is_candidate(self) -> bool:
        """Whether it is one of several who do a task at once."""
        return self.task is not None and bool(self.task.candidate_of)

    @property
    def asked_alone(self) -> ApprovalRequest | None:
        """Its open request; none of a candidate at its gate, which is decided with the others."""
        return None if self.is_candidate and self.phase is Phase.AT_GATE else self.request

    # --- what the rules of conversations ask

    @property
    def over(self) -> str:
        """Why it takes nothing more."""
        reason = self.reason or "no reason given"
        return f"the task has ended ({self.end}): {reason}" if self.end is not None else ""

    @property
    def question_prefix(self) -> str:
        """How the ids of the run's questions begin."""
        return f"{self.task.id if self.task else ''}/question-{self.run}-"

    @property
    def waiting(self) -> Mapping[SessionId, tuple[Message, ...]]:
        """The messages that wait; those to the task itself are its worker's."""
        own = {name: each.messages for name, each in self.conversations.items()}
        return {**own, self.session_id: self.messages}

    def conversation_of(self, session_id: SessionId) -> Conversation | None:
        """Return the conversation of a session, None where it has none."""
        return self.conversations.get(session_id)

    def with_conversation(self, conversation: Conversation) -> Self:
        """Return the state with a conversation in the place of its earlier one."""
        changed = {**self.conversations, conversation.session_id: conversation}
        return self.model_copy(update={"conversations": changed})

    def messages_for(self, event: TurnStarted) -> tuple[Message, ...]:
        """Return the messages that wait and that a turn gives to its agent."""
        own = self.conversations.get(event.session_id)
        is_first = event.prompt_name == PromptName.TASK and own is not None and own.turns_before > 0
        if event.prompt_name != PromptName.MESSAGE and not is_first:
            return ()
        chat = self.conversations.get(self.addressee_of(event.session_id))
        return chat.messages if chat else self.messages

    def without_messages(self, message_ids: Collection[str]) -> Self:
        """Return the state without some of the messages that wait."""
        left = {
            name: each.model_copy(update={"messages": without(each.messages, message_ids)})
            for name, each in self.conversations.items()
        }
        messages = without(self.messages, message_ids)
        return self.model_copy(update={"messages": messages, "conversations": left})

    def addressee_of(self, session_id: SessionId) -> SessionId:
        """Return the session that a person opened itself, else none: the message is the task's."""
        own = self.conversations.get(session_id)
        return session_id if own is not None and own.role is SessionRole.CHAT else SessionId("")

    # --- what is shown and carried on

    def newest(self, role: SessionRole) -> Conversation | None:
        """Return the newest conversation of a role."""
        return next((c for c in reversed(self.conversations.values()) if c.role is role), None)

    def without_old_texts(self) -> "TaskState":
        """Return what the next run of the workflow needs: the outputs of the newest attempt only.

        Each step's newest review is kept, too. The journal has the others, and the feedback of
        rejections; many would outgrow a payload.
        """
        kept, reviewed = list(self.attempts[-1:]), reviews_in(self.attempts[-1:])
        for attempt in reversed(self.attempts[:-1]):
            kept.append(attempt.without_outputs(but=reviews_in((attempt,)) - reviewed))
            reviewed |= reviews_in((attempt,))
        return self.model_copy(
            update={
                "attempts": tuple(reversed(kept)),
                "outcomes": without_feedback(self.outcomes),
            }
        )

    @property
    def listed_wait(self) -> str:
        """What lists show that it waits for: also what refused it, but not the end of others' turns."""
        return self.waiting_for or ("" if self.is_crowded else self.held_by)

    @property
    def waiting_for(self) -> str:
        """What a person is asked, in a phrase; empty when nothing is."""
        if self.questions.open:
            return self.questions.waiting_for
        if self.phase is Phase.AT_GATE:
            return "" if self.is_candidate else AT_GATE
        if self.phase is Phase.AT_PLAN:
            return AT_PLAN
        if self.is_review_held:
            return f"a person: {self.reason}"
        if self.phase is Phase.WAITING:
            return f"a message: {self.reason}"
        return ""
