"""Texts of tasks that several agents do at once: who passed, who was taken."""

from domain.core.event_text import EventText, highlight, info, warning
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.plans.best_of import AgentChoice, letter_of
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describes, silence
from domain.threads.contests import events as contest_events
from domain.threads.contests.state import CandidateStanding


def _named(candidate: str, agent: str, model: str | None) -> str:
    who = f" ({AgentChoice(agent, model).text})" if agent else ""
    return f"candidate {letter_of(candidate)}{who}"


@describes(contest_events.CandidatePassed)
def _describe_passed(event: contest_events.CandidatePassed) -> EventText:
    who = _named(event.candidate, event.agent, event.model)
    first = " first" if event.is_first else ""
    return info(f"{task_name(event.task_id, 'Task')}: {who} passed{first}", task_id=event.task_id)


@describes(contest_events.CandidatesShown)
def _describe_shown(event: contest_events.CandidatesShown) -> EventText:
    ready = [row for row in event.rows if row.standing is CandidateStanding.READY]
    letters = ", ".join(letter_of(row.candidate) for row in ready)
    count = f"{counted(len(ready), 'candidate')} of {len(event.rows)} passed"
    return warning(
        f"{task_name(event.task_id, 'Task')} waits for a choice: {count} ({letters})",
        task_id=event.task_id,
        milestone="candidates_shown",
    )


@describes(contest_events.CandidateTaken)
def _describe_taken(event: contest_events.CandidateTaken) -> EventText:
    who = _named(event.candidate, event.agent, event.model)
    return highlight(
        f"{task_name(event.task_id, 'Task')}: {who} taken{by(event.decision.outcome.by)}",
        task_id=event.task_id,
        milestone="candidate_taken",
    )


@describes(contest_events.CandidateReleased)
def _describe_released(event: contest_events.CandidateReleased) -> EventText:
    who = f"candidate {letter_of(event.candidate)}"
    return warning(
        f"{task_name(event.task_id, 'Task')}: {who} is not merged: {event.reason}",
        task_id=event.task_id,
    )


@describes(contest_events.CandidatesSentBack)
def _describe_sent_back(event: contest_events.CandidatesSentBack) -> EventText:
    letters = ", ".join(map(letter_of, event.decisions))
    return highlight(
        f"{task_name(event.task_id, 'Task')}: candidates {letters} sent back{by(event.outcome.by)}",
        event.outcome.feedback,
        task_id=event.task_id,
    )


@describes(contest_events.CandidateAdded)
def _describe_added(event: contest_events.CandidateAdded) -> EventText:
    who = _named(event.task.id, event.task.agent or "", event.task.model)
    return info(
        f"{task_name(event.task_id, 'Task')}: {who} added{by(event.by)}", task_id=event.task_id
    )


@describes(contest_events.CandidateComposed)
def _describe_composed(event: contest_events.CandidateComposed) -> EventText:
    files = sum(len(part.files) for part in event.composition.parts)
    others = " and ".join(letter_of(part.candidate) for part in event.composition.parts)
    return info(
        f"{task_name(event.task_id, 'Task')}: candidate {letter_of(event.task.id)} is put together from "
        f"{letter_of(event.composition.base)}, with {counted(files, 'file')} of {others}{by(event.by)}",
        task_id=event.task_id,
    )


@describes(contest_events.CandidatePutTogether)
def _describe_put_together(event: contest_events.CandidatePutTogether) -> EventText | None:
    if not event.failure:
        return None
    return warning(
        f"Candidate {letter_of(event.candidate)} can't be put together: {event.failure}",
        task_id=event.task_id,
    )


@describes(contest_events.JudgeAsked)
def _describe_judge(event: contest_events.JudgeAsked) -> EventText:
    judge = event.session_id.rpartition("/")[2]
    return info(
        f"{task_name(event.task_id, 'Task')}: {judge} is asked for its opinion of {counted(len(event.order), 'candidate')}",
        task_id=event.task_id,
    )


@describes(contest_events.OpinionGiven)
def _describe_opinion(event: contest_events.OpinionGiven) -> EventText:
    if event.failure:
        return info(
            f"The judge of {event.task_id} gave no opinion: {event.failure}", task_id=event.task_id
        )
    return info(f"The judge of {event.task_id} gave its opinion", event.text, task_id=event.task_id)


@describes(contest_events.ContestEnded)
def _describe_ended(event: contest_events.ContestEnded) -> EventText:
    who = _named(event.candidate, event.agent, event.model)
    return info(
        f"{task_name(event.task_id, 'Task')} has the work of {who}; the others have ended",
        task_id=event.task_id,
    )


silence(contest_events.CandidatesWithdrawn)
