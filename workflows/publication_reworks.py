"""How the workflow of a pull request asks its thread for a rework, and answers the comment afterwards."""

from temporalio.exceptions import ActivityError

from activities.watching import Watching
from domain.core.ids import host_queue
from domain.core.wire import Wire
from domain.publications.calls import AnswerCall, CheckLogCall
from domain.publications.commands import EndAnswer, EndReworkAsk
from domain.publications.effects import AnswerComment, AskForRework, PublicationEffect
from domain.publications.inputs import PublicationInput
from domain.publications.items import ItemKind
from domain.publications.reworks import MAX_LOG, Rework, rework_words
from domain.publications.state import PublicationState
from domain.threads.publishing.effects import AskRework
from workflows import options
from workflows.effect_loop import EffectLoop
from workflows.failures import words_of
from workflows.signalling import reaches

Loop = EffectLoop[PublicationState, PublicationEffect]
_GONE = "the thread's workflow has ended"


async def ask_for_rework(
    effect: AskForRework, given: PublicationInput, running: Rework | None, loop: Loop
) -> Wire | None:
    """Have the thread change its work; it takes a number once. Returns what became of the asking."""
    if running is None or running.number != effect.number:
        return None
    log, failure = await _log(given, running, loop)
    number = given.of.number
    ask = AskRework(
        pull_request=number,
        number=running.number,
        item_id=running.item.item_id,
        subject=f"Rework pull request #{number}: {running.item.kind.replace('_', ' ')}",
        text=rework_words(running.item, number, log, failure),
        by=running.by,
        is_by_policy=running.is_by_policy,
        by_policy=loop.state.reworks.by_policy,
    )
    is_there = await reaches(given.thread_id, "ask_rework", ask)
    return EndReworkAsk(number=effect.number, failure="" if is_there else _GONE)


async def _log(given: PublicationInput, running: Rework, loop: Loop) -> tuple[str, str]:
    """Return the end of the failed check's log, or why there is none."""
    if running.item.kind is not ItemKind.FAILED_CHECK:
        return "", ""
    call = CheckLogCall(of=given.of, check=running.item.about, most=MAX_LOG)
    where = options.on(host_queue(given.host), options.PUBLISH)
    try:
        read = await loop.run_activity(Watching.read_check_log, call, where)
    except ActivityError as error:
        return "", words_of(error)
    return read.text, read.failure


async def answer_comment(effect: AnswerComment, given: PublicationInput, loop: Loop) -> Wire:
    """Answer the comment and resolve its thread; returns what became of it."""
    call = AnswerCall(
        of=given.of,
        thread=effect.thread,
        text=effect.text,
        key=f"{given.workflow_id}/rework-{effect.number}",
    )
    where = options.on(host_queue(given.host), options.PUBLISH)
    try:
        done = await loop.run_activity(Watching.answer_comment, call, where)
    except ActivityError as error:
        return EndAnswer(number=effect.number, failure=words_of(error))
    return EndAnswer(number=effect.number, failure=done.failure)
