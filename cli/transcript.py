"""The events of a thread in words, as `treadle logs` prints them."""

from datetime import UTC
from functools import singledispatchmethod
from typing import Any

from rich.table import Table
from rich.text import Text

from cli import branch_words, flow_words, plan_file_words, question_words, update_words
from cli.console import plain, quoted, rows
from cli.quiet import QUIET_EVENTS, QUIET_UPDATES
from cli.terminal_words import words_of
from domain.agents.protected import planted_words
from domain.agents.sandbox import Level
from domain.agents.terminals import as_read
from domain.conversations import events as in_session
from domain.conversations.questions.events import QuestionEvent
from domain.core.event import Event, EventBody
from domain.core.ids import is_terminal
from domain.core.lifecycle import events as of_keeping
from domain.core.text import counted
from domain.tasks import events as in_task
from domain.tasks import plan_events as task_plans
from domain.threads import events as in_thread
from domain.threads.amending import events as amending
from domain.threads.children import events as of_children
from domain.threads.merging import events as of_merges
from domain.verification import review_events as of_reviews
from domain.verification.judges.names import judges_words
from domain.verification.steps import StepResult

OUTPUT_LINES = 15
FIELD_LENGTH = 200
UNTOLD = frozenset({"key", "message_id", "plan_id", "session_id", "turn_id", "duration_ms"})
TALK = {"agent_message_chunk": "", "agent_thought_chunk": "dim"}


class Transcript:
    """Says each event in words; remembers the titles of tool calls, which updates leave out."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def tell(self, event: Event) -> Table | None:
        """Return an event as it is printed: time, stream, words; None where it says nothing."""
        if is_terminal(event.stream) and "/session-" not in event.stream:
            return None  # its task's stream tells of it
        if event.stream.startswith("flow-") and flow_words.is_told_by_step(event.body):
            return None
        said = self._said(event.body)
        if not said.plain.strip():
            return None
        at = event.at if event.at.tzinfo else event.at.replace(tzinfo=UTC)
        row = Table.grid(padding=(0, 2))
        row.add_column(no_wrap=True, style="dim")
        row.add_column(no_wrap=True, style="cyan")
        row.add_column(overflow="fold")
        own = "flow" if event.stream.startswith("flow-") else "thread"
        place = event.stream.partition("/")[2] or own
        row.add_row(f"{at.astimezone():%H:%M:%S}", plain(f"{place:<18}"), said)
        return row

    @singledispatchmethod
    def _said(self, body: EventBody) -> Text:
        """Say an event that has no words of its own by its kind and its fields."""
        if body.kind in QUIET_EVENTS:
            return plain("")
        if (told := flow_words.said(body)) is not None:
            return told
        if words := words_of(body) or plan_file_words.words_of(body):
            return plain(_clipped(words))
        fields = body.model_dump(mode="json", exclude={"kind"}, exclude_defaults=True)
        told = [
            f"{name.replace('_', ' ')}: {_clipped(str(value))}"
            for name, value in fields.items()
            if isinstance(value, str | int) and value and name not in UNTOLD
        ]
        return plain("; ".join([body.kind.replace("_", " "), *told]))

    @_said.register
    def _describe_agent_update(self, body: in_session.AgentUpdate) -> Text:
        update = body.update
        kind = str(update.get("sessionUpdate", ""))
        if kind in TALK:
            return quoted(_text_of(update.get("content")).strip("\n"), TALK[kind])
        if kind in {"tool_call", "tool_call_update"}:
            return self._tool(update)
        return plain("") if kind in QUIET_UPDATES else update_words.said(update)

    def _tool(self, update: dict[str, Any]) -> Text:
        call = str(update.get("toolCallId", ""))
        is_known = call in self._titles
        title = str(update.get("title") or self._titles.get(call) or "tool call")
        self._titles[call] = title
        status = str(update.get("status") or "")
        if is_known and status not in {"completed", "failed"}:
            return plain("")
        words = f"tool: {_clipped(title)}" + (f" ({status.replace('_', ' ')})" if status else "")
        told = [words, *(f"  {line}" for line in update_words.doings(update))]
        return rows(told, "red" if status == "failed" else "blue")

    @_said.register
    def _describe_tool_called(self, body: in_session.ToolCalled) -> Text:
        refused = " was refused" if body.is_refused else ""
        return plain(f"called {body.tool}{refused}: {_clipped(body.answer)}")

    @_said.register
    def _describe_message_queued_or_prompt_queued(
        self, body: in_session.MessageQueued | in_thread.PromptQueued
    ) -> Text:
        prompt = body.prompt
        if prompt is None:
            return plain("session is to be closed")
        text = prompt.fields.get("text", "")
        return quoted(f"message queued: {text}" if text else f"prompt {prompt.name} queued")

    @_said.register
    def _describe_prompt_sent(self, body: in_session.PromptSent) -> Text:
        first, _, rest = body.text.strip().partition("\n")
        more = f" … ({counted(len(rest.splitlines()), 'more line')})" if rest.strip() else ""
        return plain(f"prompt: {_clipped(first)}{more}")

    @_said.register
    def _describe_turn_ended(self, body: in_session.TurnEnded) -> Text:
        result = body.result
        took = (
            f"turn ended: {result.stop_reason.replace('_', ' ')}, {result.duration_ms / 1000:.1f} s"
        )
        return quoted(f"{took}\n{result.failure}" if result.failure else took)

    @_said.register
    def _describe_plan_proposed(self, body: in_thread.PlanProposed) -> Text:
        head = f"plan {body.revision} proposed: {body.plan.goal or body.plan.summary}"
        return rows((head, *(f"  {task.id}  {task.title}" for task in body.plan.tasks)))

    @_said.register
    def _describe_plan_decided_or_gate_decided(
        self,
        body: in_thread.PlanDecided
        | in_task.GateDecided
        | task_plans.TaskPlanDecided
        | amending.AmendmentDecided,
    ) -> Text:
        outcome = body.outcome
        feedback = f"\n{outcome.told}" if outcome.told else ""
        return quoted(f"{outcome.spoken} of {outcome.request_id} by {outcome.by}{feedback}", "bold")

    @_said.register
    def _describe_amendment_proposed(self, body: amending.AmendmentProposed) -> Text:
        head = f"{body.request.request_id} proposed: {body.lines[0]}"
        return rows((head, *(f"  {line}" for line in body.lines[1:])), "yellow")

    @_said.register
    def _describe_amendment_closed(self, body: amending.AmendmentClosed) -> Text:
        return plain(f"{body.request_id} is closed: {body.reason}", "yellow")

    @_said.register
    def _describe_plan_amended(self, body: amending.PlanAmended) -> Text:
        return plain(f"plan is version {body.version}, by {body.amendment_id}: {body.why}", "bold")

    @_said.register
    def _describe_child_reported_or_parent_told(
        self, body: of_children.ChildReported | of_children.ParentTold
    ) -> Text:
        told, is_own = body.report, body.kind == "parent_told"
        waits = f", waits for {told.waiting_for}" if told.waiting_for else ""
        whom = "told the parent" if is_own else f"{told.thread_id} of {told.task_id}"
        return plain(f"{whom}: {told.status}, {told.done}/{told.total} tasks{waits}")

    @_said.register
    def _describe_task_updated(self, body: in_thread.TaskUpdated) -> Text:
        notes = f": {body.notes}" if body.notes else ""
        return plain(f"{body.task_id} {body.new_status.replace('_', ' ')}{notes}")

    @_said.register
    def _describe_conflict_found(self, body: of_merges.ConflictFound) -> Text:
        found = body.conflict
        return plain(f"{found.task_id} conflicts in {', '.join(found.files)}", "yellow")

    @_said.register
    def _describe_conflict_answered(self, body: of_merges.ConflictAnswered) -> Text:
        return plain(f"conflict of {body.task_id}: {body.how.spoken}, says {body.by}", "bold")

    @_said.register
    def _describe_conflict_unresolved(self, body: of_merges.ConflictUnresolved) -> Text:
        why = body.failure or f"conflict markers are left in {', '.join(body.files)}"
        return plain(f"conflict of {body.task_id} is not resolved: {why}", "red")

    @_said.register
    def _describe_conflict_resolved(self, body: of_merges.ConflictResolved) -> Text:
        return plain(f"conflict of {body.task_id} was resolved by hand; it is verified next")

    @_said.register
    def _describe_collisions_checked(self, body: of_merges.CollisionsChecked) -> Text:
        told = (f"{c.first} and {c.second} in {', '.join(c.files)}" for c in body.found)
        lines = "; ".join(told)
        return plain(f"will conflict as they are now: {lines}" if lines else "", "yellow")

    @_said.register
    def _describe_told(self, body: branch_words.Told) -> Text:
        return branch_words.told(body)

    @_said.register
    def _describe_plan_completed(self, body: in_thread.PlanCompleted) -> Text:
        return quoted(f"plan {body.final_status}: {body.summary}", "bold")

    @_said.register
    def _describe_changes_kept(self, body: of_keeping.ChangesKept) -> Text:
        name = body.session_id.rpartition("/")[2]
        if body.commit:
            return plain(f"the changes of {name} are on {body.branch}: {body.commit[:12]}", "bold")
        why = body.failure or f"they conflict in {', '.join(body.conflicts)}"
        return plain(f"the changes of {name} are not kept: {why}", "red")

    @_said.register
    def _describe_document_written(self, body: of_keeping.DocumentWritten) -> Text:
        return plain(body.problem or f"plan written to {body.path}", "red" if body.problem else "")

    @_said.register
    def _describe_task_opened(self, body: in_task.TaskOpened) -> Text:
        return plain(f"run {body.run} of {body.task.id}: {body.task.title} ({body.agent})")

    @_said.register
    def _describe_turn_started(self, body: in_session.TurnStarted) -> Text:
        return plain(f"turn {body.number} (prompt {body.prompt_name})")

    @_said.register
    def _describe_report_received(self, body: in_task.ReportReceived) -> Text:
        head = "reports that it is blocked" if body.is_blocked else "reports done"
        return quoted(f"{head}: {body.report.summary}", "bold")

    @_said.register
    def _describe_verification_step_ended(self, body: in_task.VerificationStepEnded) -> Text:
        return _step("verification", body.result)

    @_said.register
    def _describe_merge_step_ended(self, body: in_thread.MergeStepEnded) -> Text:
        return _step(f"verification of {body.task_id} as merged", body.result)

    @_said.register
    def _describe_verification_ended(self, body: in_task.VerificationEnded) -> Text:
        held = f": {body.held}" if body.held else ""
        return plain(f"attempt {body.attempt} {'passed' if body.passed else 'FAILED'}{held}")

    @_said.register
    def _describe_review_submitted(self, body: of_reviews.ReviewSubmitted) -> Text:
        review = body.review
        head = f"review: {review.verdict.replace('_', ' ')}. {review.summary}"
        return rows((head, *(f"  {finding.told}" for finding in review.findings)))

    @_said.register
    def _describe_review_missed(self, body: of_reviews.ReviewMissed) -> Text:
        problem = f": {body.problem}" if body.problem else ""
        return plain(f"the reviewer gave no review{problem}; it is asked again", "yellow")

    @_said.register
    def _describe_task_plan_proposed(self, body: task_plans.TaskPlanProposed) -> Text:
        return quoted(f"plan {body.number} of the task proposed:\n{body.plan.text}")

    @_said.register
    def _describe_turn_delayed(self, body: in_session.TurnDelayed) -> Text:
        until = f"{body.until.astimezone():%Y-%m-%d %H:%M:%S}"
        return plain(f"waits for {body.provider} until {until}: {body.reason}", "yellow")

    @_said.register
    def _describe_turn_slept(self, body: in_session.TurnSlept) -> Text:
        return plain("the turn sleeps until you answer; its agent is closed", "yellow")

    @_said.register
    def _describe_turn_woken(self, body: in_session.TurnWoken) -> Text:
        return plain("the turn continues")

    @_said.register
    def _describe_gate_opened(self, body: in_task.GateOpened) -> Text:
        files = ", ".join(body.snapshot.files) if body.snapshot else ""
        planted = planted_words(body.snapshot.planted) if body.snapshot else ""
        head = f"waits at the gate, changed {files or 'no file'}"
        judges = judges_words(body.snapshot.judges) if body.snapshot else ""
        return rows(filter(None, (head, planted, judges, *body.doubts)), "yellow")

    @_said.register
    def _describe_question_event(self, body: QuestionEvent) -> Text:
        return quoted(question_words.told(body), "yellow")

    @_said.register
    def _describe_sandbox_applied(self, body: in_session.SandboxApplied) -> Text:
        return plain(f"sandbox: {body.summary}", "dim" if body.level is not Level.OFF else "yellow")


def _text_of(content: Any) -> str:
    if isinstance(content, dict):
        block: dict[str, Any] = content  # pyright: ignore[reportUnknownVariableType]  (ACP, as it came)
        return str(block.get("text") or f"[{block.get('type', 'content')}]")
    return ""


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= FIELD_LENGTH else f"{line[: FIELD_LENGTH - 1]}…"


def _step(what: str, result: StepResult) -> Text:
    optional = "" if result.is_required else " (optional)"
    outcome = "passed" if result.passed else "FAILED"
    line = f"{what}{optional}: {result.label} {outcome}, {result.duration_ms / 1000:.1f} s"
    if result.passed:
        return plain(line, "green")
    lines = as_read(result.output).rstrip().splitlines()
    kept = [*(["…"] if len(lines) > OUTPUT_LINES else []), *lines[-OUTPUT_LINES:]]
    return quoted("\n".join([line, *kept]), "red")
