"""Watching a thread until it ends: live on a terminal, one line per change elsewhere."""

import contextlib
import time

from rich.live import Live

from cli.approvals import approvals, questions
from cli.approvals.wordings import subject_of
from cli.core.client import Client
from cli.core.confirmation import is_watched
from cli.core.console import messages, say
from cli.core.errors import RefusedError, UnreachableError
from cli.core.long_lists import ROOM, WHOLE_LIST
from cli.core.streams import EventWatcher
from cli.core.views import read_thread
from cli.plans import decisions as plan_decisions
from cli.tasks import drawing as task_drawing
from cli.threads import status
from cli.threads.status_words import status_word
from domain.conversations.questions.views import OpenQuestion
from domain.core.approvals import Subject
from domain.core.task_names import task_name
from domain.plans.warnings import WarningKind
from domain.reading.views import OpenRequest, ThreadView
from domain.threads.shown import ShownDecision

REFRESH_SECONDS = 1.0
LEAST_GAP_SECONDS = 0.15
_STILL = frozenset({"pending", "blocked"})
ENDED = frozenset({"completed", "cancelled", "failed", "terminated"})


class Watch:
    """One thread, watched until it ends or the person leaves."""

    def __init__(self, client: Client, thread_id: str, *, is_yes: bool) -> None:
        self._client = client
        self._is_yes = is_yes
        self._view = read_thread(client, thread_id)
        self._watcher = EventWatcher(client, thread_id, self._view.position)
        self._handled: set[str] = set()
        self._told: set[str] = set()

    def run(self) -> ThreadView:
        """Watch until the thread has ended, and answer its requests.

        Raises:
            KeyboardInterrupt: The person leaves; nothing stops.
        """
        try:
            while not _is_over(self._view):
                if not self._answer():
                    self._show()
        finally:
            self._watcher.close()
        return self._view

    def _show(self) -> None:
        """Draw the progress until there is a question or the end."""
        if not messages.is_terminal:
            self._tell()
            self._refresh()
            return
        with Live(console=messages, auto_refresh=False, transient=True) as live:
            while not _is_over(self._view) and not self._open():
                live.update(status.progress(self._view, room()), refresh=True)
                self._refresh()

    def _refresh(self) -> None:
        if not self._watcher.wait(REFRESH_SECONDS) and self._watcher.is_connected:
            return
        time.sleep(
            LEAST_GAP_SECONDS
        )  # a talking agent sends many events: read the thread once for all of them
        try:
            self._view = read_thread(self._client, self._view.thread_id)
        except UnreachableError:
            self._once("waiting for the engine (start it with `treadle up`)")

    def _open(self) -> list[OpenRequest | ShownDecision | OpenQuestion]:
        """Return what can be answered here; --yes leaves decisions to a person."""
        if not (self._is_yes or is_watched()):
            return []
        asked: list[OpenRequest | ShownDecision | OpenQuestion] = [*self._view.requests]
        if is_watched():
            asked += [*self._view.questions, *self._view.decisions]
        return [question for question in asked if _id_of(question) not in self._handled]

    def _answer(self) -> bool:
        """Answer one open question; False if there is none."""
        question = next(iter(self._open()), None)
        if question is None:
            return False
        self._handled.add(_id_of(question))
        with contextlib.suppress(EOFError):  # Ctrl-D leaves it open
            if isinstance(question, OpenQuestion):
                questions.ask(self._client, self._view, question)
            elif isinstance(question, ShownDecision):
                plan_decisions.ask_decision(self._client, self._view, question)
            elif self._is_yes and question.request.subject is Subject.BEST_OF:
                say(
                    f"--yes takes no candidate: treadle show {self._view.thread_id}", style="yellow"
                )
            elif self._is_yes:
                self._approve(question)
            else:
                approvals.ask(self._client, self._view, question)
        self._view = read_thread(self._client, self._view.thread_id)
        return True

    def _approve(self, request: OpenRequest) -> None:
        # whoever approves every gate accepts a missing one; other warnings must be read
        kinds = status.unread_kinds(self._view, request)
        read = kinds == {WarningKind.NO_GATE}
        try:
            approvals.send(
                self._client, self._view, request, "approve", note="--yes", is_acknowledged=read
            )
            say(f"Approved {subject_of(self._view, request)} (--yes).", style="yellow")
        except RefusedError as error:
            # decided elsewhere, which the view shows; or there are warnings to read
            say(str(error), style="red")
            if error.name == "warnings_not_acknowledged":
                say(
                    f"--yes does not confirm warnings: treadle approve {self._view.thread_id} --acknowledge"
                )

    def _tell(self) -> None:
        """Print what is new, one line each."""
        view = self._view
        self._once(
            f"{view.thread_id} {status_word(view)} {view.progress.bar if view.progress.total else ''}"
        )
        is_large = len(view.tasks) > WHOLE_LIST
        for task in view.works:
            if is_large and task.status in _STILL:
                continue  # the bar counts them
            state = task.doing or task.notes or task.status
            for failed in task_drawing.failures(task):
                self._once(f"  {failed}")
            self._once(f"  {task_name(task.task_id, '')} {task.status}: {state}")
        for line in (*view.warnings, *([] if self._is_yes else status.questions(view))):
            self._once(f"  {line}")

    def _once(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            say(line)


def room() -> int:
    """Return how many lines the tasks may take: the rest of the screen is for what is asked."""
    return max(3, min(ROOM, messages.height // 3))


def _id_of(question: OpenRequest | ShownDecision | OpenQuestion) -> str:
    if isinstance(question, OpenQuestion):
        return question.question.question_id
    return question.id if isinstance(question, ShownDecision) else question.request.request_id


def _is_over(view: ThreadView) -> bool:
    """Tell whether nothing more happens by itself: the plan ended, or a chat's turn did."""
    if view.status == "chat":
        return any(s.turns for s in view.sessions) and not any(s.is_working for s in view.sessions)
    return view.status in ENDED
