"""What of a run of a flow waits for a person."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from domain.reading.flow_runs import FlowRunView
from domain.reading.inbox import times
from domain.reading.inbox.item import InboxItem, InboxKind, line
from domain.reading.inbox.times import AskingTimes
from domain.reading.inbox.warnings import turn_warning


def flow_items(view: FlowRunView, asked: AskingTimes) -> tuple[InboxItem, ...]:
    """Return what waits in a run; nothing of one that was put away."""
    return () if view.is_archived else tuple(_items(view, asked))


def _items(view: FlowRunView, asked: AskingTimes) -> Iterator[InboxItem]:
    if view.request is not None:
        request = view.request.request
        yield _item(
            view,
            InboxKind.FLOW_QUESTION,
            request.request_id,
            asked.of(view.run_id, request.request_id),
            subject=line(request.question),
            flow_request=view.request,
        )
    for question in view.questions:
        yield _item(
            view,
            InboxKind.QUESTION,
            question.question.question_id,
            question.asked_at,
            workflow_id=question.workflow_id,
            session_id=question.question.session_id,
            subject=line(question.question.phrase),
            question=question,
        )
    for known in view.conversations:
        worry = turn_warning(known, asked, known.session_id)
        if worry is not None and known.is_working:
            yield _item(
                view,
                InboxKind.CONCERN,
                known.session_id,
                worry.since,
                session_id=known.session_id,
                subject=line(f"{known.agent_type}/{known.identifier}: a concern about its turn"),
                reason=line(worry.text),
            )
    if view.status == "failed":
        since, subject = asked.of(view.run_id, times.RUN), line(f"{view.flow_name} failed")
        yield _item(
            view, InboxKind.ESCALATION, "", since, subject=subject, reason=line(view.reason)
        )


def _item(
    view: FlowRunView, kind: InboxKind, name: str, since: datetime | None, **more: Any
) -> InboxItem:
    workflow_id = more.pop("workflow_id", view.run_id)
    return InboxItem(
        item_id=f"{workflow_id}#{kind}" + (f":{name}" if name else ""),
        kind=kind,
        run_id=view.run_id,
        workflow_id=workflow_id,
        project=view.repository,
        title=line(view.title or view.flow_name),
        since=times.first(since, view.changed_at, view.opened_at),
        **more,
    )
