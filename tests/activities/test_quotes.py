"""What prompts quote from the journal."""

import pytest
from temporalio.exceptions import ApplicationError

from activities.quotes import Quotes
from domain.agents.agents import Prompt, PromptName
from domain.core.damage_events import EventDamaged
from domain.core.event import Event
from domain.core.ids import EventId, StreamId
from domain.core.workspaces import RepositoryFacts
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
