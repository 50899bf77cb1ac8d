"""What prompts quote from the journal."""

import pytest
from temporalio.exceptions import ApplicationError

from activities.quotes import Quotes
from domain.agents.agents import Prompt, PromptName
from domain.core.damage_events import EventDamaged
from domain.core.event import Event
from domain.core.ids import EventId, SessionId, StreamId, ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.learnings.events import LearningsOffered
from domain.learnings.offering import FIELD, Offer
from domain.learnings.ranking import Work
from domain.plans.templates.template import PlanTemplate
from domain.threads.events import ThreadOpened
from tests import fakes
from tests.domain.world import NOW

OPENED = EventId("thread-a:opened")


def opened(**survey: str) -> Event:
    """Return the event that has a project's map."""
    facts = RepositoryFacts(root="/repo", head="0" * 40, project_map="Be nice.")
    facts = facts.model_copy(update={"survey": facts.survey.model_copy(update=survey)})
    template = PlanTemplate(name="plain")
    body = ThreadOpened(goal="", agent="fake", facts=facts, template=template, branch="treadle/x")
    return Event(id=OPENED, stream=StreamId("thread-a"), at=NOW, body=body)


async def test_a_prompt_gets_the_texts_of_the_events_that_it_quotes():
    journal = fakes.MemoryJournal()
    await journal.append([opened(map_file="TREADLE.md")])
    kept = await journal.put_text("+ a line")
    prompt = Prompt(
        name=PromptName.TASK,
        fields={"title": "Build", "project_map": ""},
        texts={"diff": kept},
        quotes={"project_map": OPENED},
    )
    quotes = Quotes(journal, fakes.PlainTemplates())
    told = await quotes.insert(prompt)
    assert told.fields == {"title": "Build", "project_map": "Be nice.", "diff": "+ a line"}
    assert not told.texts
    assert not told.quotes
    assert await quotes.insert(prompt) == told


async def test_a_text_whose_event_is_damaged_is_told_to_be():
    journal = fakes.MemoryJournal()
    damage = EventDamaged(position=1, was="thread_opened", reason="it cannot be read")
    await journal.append([Event(id=OPENED, stream=StreamId("thread-a"), at=NOW, body=damage)])
    told = await Quotes(journal, fakes.PlainTemplates()).insert(
        Prompt(quotes={"project_map": OPENED})
    )
    assert "damaged" in told.fields["project_map"]


async def test_an_event_that_is_not_journaled_yet_is_waited_for_by_trying_again():
    prompt = Prompt(name=PromptName.TASK, quotes={"project_map": OPENED})
    with pytest.raises(ApplicationError) as refused:
        await Quotes(fakes.MemoryJournal(), fakes.PlainTemplates()).insert(prompt)
    assert not refused.value.non_retryable


class Offers:
    """Offers what a test says, and notes for what."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self.asked: list[tuple[str, Work]] = []

    async def offer(self, thread_id: ThreadId, work: Work) -> Offer:
        self.asked.append((thread_id, work))
        return self._offer


async def test_a_prompt_that_begins_work_tells_the_learnings_that_matter_and_the_event_says_which():
    offers = Offers(Offer(learning_ids=("l-1",), text='- [l-1] "Use tabs"'))
    quotes = Quotes(fakes.MemoryJournal(), fakes.PlainTemplates(), offers)
    session = SessionId("thread-a/t/session-1")
    prompt = Prompt(name=PromptName.TASK, fields={"title": "Prices", "area": "api/**"})
    told, offered = await quotes.with_learnings(prompt, session)
    assert told.fields[FIELD] == '- [l-1] "Use tabs"'
    assert offered == LearningsOffered(
        learning_ids=("l-1",), session_id=session, thread_id=ThreadId("thread-a")
    )
    assert offers.asked == [("thread-a", Work(words="Prices\n", area=("api/**",)))]


async def test_other_prompts_and_an_empty_offer_tell_nothing():
    offers = Offers(Offer())
    quotes = Quotes(fakes.MemoryJournal(), fakes.PlainTemplates(), offers)
    session = SessionId("thread-a/session-1")
    said = Prompt(fields={"text": "go on"})
    planner = Prompt(name=PromptName.PLANNER, fields={"goal": "g"})
    assert await quotes.with_learnings(said, session) == (said, None)
    assert offers.asked == []
    assert await quotes.with_learnings(planner, session) == (planner, None)
    assert len(offers.asked) == 1
