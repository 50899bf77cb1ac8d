"""PublicationWorkflow: a pull request, watched until it is merged or closed."""

from collections.abc import Coroutine
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.watching import Watching
from domain.core.command import Answer
from domain.core.event import Headline
from domain.core.ids import StreamId, host_queue
from domain.core.moves import HostMove
from domain.core.text import counted
from domain.core.wire import Wire
from domain.forges.hints import ForgeHint
from domain.forges.pull_requests import PullRequestId
from domain.publications.calls import (
    CancelMergeCall,
    DeleteBranchCall,
    LookAnswer,
    LookCall,
    MergeCall,
)
from domain.publications.commands import (
    CloseWatch,
    EndBaseAsk,
    EndBranchDelete,
    EndMerge,
    EndMergeCancel,
    EndReport,
    LookAtPullRequest,
    NoteLook,
    NotePush,
    NoteRework,
    NoteStack,
    NoteTrouble,
    UnwatchPullRequest,
    WatchPullRequest,
)
from domain.publications.effects import (
    AnswerComment,
    AskForBase,
    AskForRework,
    CancelOnForge,
    DeleteOnForge,
    KeepLooking,
    MergeOnForge,
    PublicationEffect,
    ReportEnd,
)
from domain.publications.events import PullRequestWatched
from domain.publications.inputs import PublicationInput
from domain.publications.items import ItemKind
from domain.publications.pace import TROUBLED, Pace
from domain.publications.rules import PUBLICATION_RULES
from domain.publications.seeing import is_pending
from domain.publications.state import PublicationState
from domain.publications.views import status_of
from domain.threads.bases.effects import NoteBehind
from domain.threads.publishing.effects import NotePullRequest
from workflows import options
from workflows.attributes import Shown
from workflows.doors import doors, receives
from workflows.effect_loop import EffectLoop
from workflows.failures import words_of
from workflows.pauses import pause
from workflows.publication_reworks import answer_comment, ask_for_rework
from workflows.signalling import reaches
from workflows.starts import check_start

_WAKING = (LookAtPullRequest, WatchPullRequest, ForgeHint, NotePush, EndMerge, EndMergeCancel)


@workflow.defn(name="Publication")
@doors(*PUBLICATION_RULES.commands)
@receives(
    note_push=NotePush,
    note_rework=NoteRework,
    note_stack=NoteStack,
    look=ForgeHint,
    close_watch=CloseWatch,
    move_host=HostMove,
)
class PublicationWorkflow(EffectLoop[PublicationState, PublicationEffect]):
    """Lives until the pull request has ended and nobody is asked anything about it."""

    rules = PUBLICATION_RULES
    cancels = UnwatchPullRequest

    @workflow.init
    def __init__(self, publication: PublicationInput) -> None:
        name = publication.workflow_id
        # a pull request that was closed may be opened again, and is then watched by another workflow
        super().__init__(publication, name, f"{name}:{workflow.info().first_execution_run_id}")
        self._input = publication
        self._state = publication.carried or PublicationState()
        self._shown = Shown("open")
        self._pace, self._tags = publication.pace, publication.tags
        self._is_woken, self._is_asked, self._receipted = False, False, ""

    @workflow.run
    async def run(self, publication: PublicationInput) -> None:
        """Watch until it is over."""
        is_carried = publication.carried is not None
        name, thread = publication.workflow_id, publication.thread_id
        check_start(name, thread, is_carried=is_carried, is_child=True)
        if not is_carried:
            watched = PullRequestWatched(
                of=publication.of,
                url=publication.url,
                commit=publication.commit,
                policy=publication.policy,
                reworks=publication.reworks,
                by=publication.by,
            )
            self.record((watched,))
        if await self.live():
            self.carry_over(pace=self._pace, tags=self._tags)
        await self.drain()
        await self.flush()

    def receive(self, message: Wire) -> None:
        """Take a message of the thread, or of whoever learns that the pull request has changed."""
        if isinstance(message, HostMove):
            self._hosting.move(host_queue(message.host))
        elif not isinstance(message, ForgeHint) or self._is_concerned(message):
            super().receive(message)

    def _is_concerned(self, hint: ForgeHint) -> bool:
        """Tell whether a hint may be of this pull request; false ones cost a look at most."""
        view, number = self._state.view, self._input.of.number
        commits = frozenset({view.head_commit} if view else ())
        return hint.concerns_pull_request(number, commits)

    def submit(self, command: Wire) -> Answer:
        """Decide a command; what makes a look worth while wakes whoever waits for the next."""
        answer = super().submit(command)
        if isinstance(command, _WAKING):
            self._is_woken = True
            self._is_asked = self._is_asked or not isinstance(command, ForgeHint)
            self._pace = Pace()
        return answer

    # --- the loop's questions

    @property
    def is_over(self) -> bool:
        """Whether it has ended and nobody is asked anything."""
        return self._state.is_over

    def must_stop(self, effect: PublicationEffect) -> bool:
        """Tell whether an effect must stop; looks end by themselves."""
        del effect
        return False

    def carry_out(self, effect: PublicationEffect) -> Coroutine[Any, Any, None]:
        """Return what carries out an effect."""
        match effect:
            case KeepLooking():
                return self._keep_looking(effect)
            case MergeOnForge():
                return self._merge(effect)
            case CancelOnForge():
                return self._cancel(effect)
            case DeleteOnForge():
                return self._delete(effect)
            case AskForRework() | AnswerComment():
                return self._rework(effect)
            case ReportEnd():
                return self._report()
            case AskForBase():
                return self._ask_for_base(effect)
            case _:
                raise NotImplementedError(f"nothing carries out {effect.key}")

    @property
    def _where(self) -> str:
        return host_queue(self._input.host)

    async def _keep_looking(self, effect: KeepLooking) -> None:
        while self._state.is_watched:
            self._is_woken = self._is_asked = False
            call = self._look(effect.of)
            where = options.on(self._where, options.SETTLE)
            answer = await self.run_activity(Watching.look_at_pull_request, call, where)
            least = self._note(answer)
            if not self._state.is_watched:
                return
            pending = is_pending(self._state.view)
            wait = self._pace.wait(workflow.random().random(), is_pending=pending, least=least)
            await pause(
                wait,
                least,
                lambda: self._is_woken or not self._state.is_watched,
                lambda: self._is_asked or not self._state.is_watched,
            )

    def _look(self, of: PullRequestId) -> LookCall:
        return LookCall(
            of=of,
            tags=self._tags,
            thread="" if self._state.policy.stack_base else self._input.thread_id,
            repository=self._input.repository,
            pushed=self._state.commit,
            receipted=self._receipted,
        )

    def _note(self, answer: LookAnswer) -> float:
        """Take what a look gave; returns how many seconds the forge wants to be left alone."""
        if answer.look is not None:
            self._tags, self._receipted = answer.look.tags, answer.receipted
            before = self._state
            self.submit(NoteLook(look=answer.look, receipt=answer.receipt))
            self._pace = self._pace.after_look(is_changed=self._state != before)
            return answer.look.wait
        self._pace = self._pace.after_failure()
        kind = answer.trouble or ItemKind.UNREACHABLE
        if kind is not ItemKind.UNREACHABLE or self._pace.failed >= TROUBLED:
            self.submit(NoteTrouble(kind=kind, words=answer.failure))
        return answer.wait

    async def _merge(self, effect: MergeOnForge) -> None:
        where = options.on(self._where, options.PUBLISH)
        try:
            call = MergeCall(request=effect.request)
            done = await self.run_activity(Watching.merge_pull_request, call, where)
        except ActivityError as error:
            self.submit(EndMerge(number=effect.number, failure=words_of(error)))
            return
        self.submit(EndMerge(number=effect.number, answer=done.answer, failure=done.failure))

    async def _cancel(self, effect: CancelOnForge) -> None:
        where = options.on(self._where, options.PUBLISH)
        try:
            call = CancelMergeCall(of=effect.of)
            done = await self.run_activity(Watching.cancel_pull_request_merge, call, where)
        except ActivityError as error:
            self.submit(EndMergeCancel(number=effect.number, failure=words_of(error)))
            return
        self.submit(EndMergeCancel(number=effect.number, failure=done.failure))

    async def _delete(self, effect: DeleteOnForge) -> None:
        call = DeleteBranchCall(
            project=effect.of.project, branch=effect.branch, commit=effect.commit
        )
        where = options.on(self._where, options.PUBLISH)
        try:
            done = await self.run_activity(Watching.delete_merged_branch, call, where)
        except ActivityError as error:
            self.submit(EndBranchDelete(branch=effect.branch, failure=words_of(error)))
            return
        self.submit(EndBranchDelete(branch=effect.branch, failure=done.failure))

    async def _rework(self, effect: AskForRework | AnswerComment) -> None:
        if isinstance(effect, AnswerComment):
            done = await answer_comment(effect, self._input, self)
        else:
            done = await ask_for_rework(effect, self._input, self._state.rework, self)
        if done is not None:
            self.submit(done)

    async def _report(self) -> None:
        state = self._state
        note = NotePullRequest(
            number=self._input.of.number,
            url=state.url,
            is_merged=state.is_merged,
            merge_commit=state.merge_commit,
            head_commit=state.head_commit,
        )
        await reaches(self._input.thread_id, "note_pull_request", note)
        self.submit(EndReport())

    async def _ask_for_base(self, effect: AskForBase) -> None:
        note = NoteBehind(commit=effect.commit, base_commit=effect.base_commit)
        is_reached = await reaches(self._input.thread_id, "note_behind", note)
        self.submit(EndBaseAsk(**note.model_dump(), is_reached=is_reached))

    def show(self) -> None:
        """Put the headline and the attributes right; it is one of what a thread has, as a session is."""
        status, waiting_for = status_of(self._state)
        self._outbox.show(
            Headline(
                stream=StreamId(self._input.workflow_id),
                kind="session",
                title=f"pull request #{self._input.of.number}",
                project=self._input.repository,
                status=status,
                waiting_for=waiting_for,
            )
        )
        self._shown.show(status, waiting_for)

    def details(self) -> str:
        """Return where it stands, without any text from outside."""
        status, _ = status_of(self._state)
        return f"{status}: {counted(len(self._state.items), 'open item')}"
