"""What prompts quote from the journal."""

import pytest
from temporalio.exceptions import ApplicationError

from activities.quotes import insert_quotes
from domain.agents.agents import Prompt, PromptName
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
    told = await insert_quotes(journal, prompt)
    assert told.fields == {"title": "Build", "project_map": "Be nice.", "diff": "+ a line"}
    assert not told.texts
    assert not told.quotes


async def test_an_event_that_is_not_journaled_yet_is_waited_for_by_trying_again():
    prompt = Prompt(name=PromptName.TASK, quotes={"project_map": OPENED})
    with pytest.raises(ApplicationError) as refused:
        await insert_quotes(fakes.MemoryJournal(), prompt)
    assert not refused.value.non_retryable
