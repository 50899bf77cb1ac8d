"""Preparing and starting flow runs: their file, agents, folder and id."""

import re
from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Request

from adapters.readings.projections import FlowProjections, QueueProjections
from adapters.redaction import Redactor
from api.core.agents import AgentsDep
from api.core.dependencies import Person
from api.core.permissions import PermitsDep
from api.core.redaction import refuse_secret_name
from api.core.workflow_client import WorkflowClient
from api.flows.bodies import FlowRunBody
from api.flows.files import FlowFilesDep
from api.flows.places import Place, place_of
from domain.core.errors import NotFoundError, RepositoryError, TreadleError
from domain.core.ids import StreamId, flow_run_id
from domain.core.ports import Journal
from domain.flows.definition import FlowDefinition, FlowStep
from domain.flows.events import ChosenAgent
from domain.flows.inputs import FlowInput
from domain.flows.problems import UnknownFlowError
from domain.flows.prompts import INLINE
from domain.flows.starting import (
    AgentUnavailableError,
    NoRepositoryError,
    chosen_for,
    refuse_large,
    size_of,
)
from domain.people.roles import Role
from domain.reading.flow_runs import FlowRunView
from settings import Settings

_PREVIEW = 200
_LOOKED_BACK = 3
"""How many of the newest runs are searched for the one that a repeated command started."""


_NOT_FROM_URL = (
    "Flow files in a repository that is named by a URL are not read: copy the file to your own flows, "
    "or name a folder with a checkout"
)


class FlowStarts:
    """Prepares and starts flow runs."""

    def __init__(
        self,
        files: FlowFilesDep,
        agents: AgentsDep,
        person: Person,
        permits: PermitsDep,
        request: Request,
    ) -> None:
        self._permits = permits
        kept = request.app.state
        self._files = files
        self._agents = agents
        self._person = person
        self._workflows: WorkflowClient = kept.workflows
        self._journal: Journal = kept.journal
        self._settings: Settings = kept.settings
        self._folds: FlowProjections = kept.flow_folds
        self._queue: QueueProjections = kept.queue_folds
        self._redactor: Redactor = kept.redactor

    async def prepare(self, name: str, body: FlowRunBody) -> FlowInput:
        """Return the input of a run; its number is the next one that is neither used nor queued.

        Raises:
            TreadleError: The flow, an agent, the folder or the URL cannot be used; nothing was started.
        """
        settings = self._settings
        place = place_of(body.working_folder, settings.working_folder, settings.schemes)
        self._permits.require_in(Role.AUTHOR, place.repository)
        definition = self._definition(name, place)
        refuse_secret_name(self._redactor, flow_run_id(definition.name, 1))
        agents = self._chosen(definition, body, place.repository)
        short = await _with_references(definition, self._journal)
        refuse_large(definition, size_of(short.compact()))
        name = await self._id(definition.name, body.command_id)
        self._permits.note(name, place.repository)
        return FlowInput(
            run_id=name,
            definition=short,
            repository=place.repository,
            folder=place.folder,
            agents=agents,
            hosts=body.wish,
            title=" ".join((body.custom_title or "").split()),
            opened_by=self._person,
            command_id=body.command_id,
            max_context_tokens=self._settings.planner.max_context_tokens or None,
        )

    async def begin(self, flow: FlowInput) -> FlowInput:
        """Start a run; return it with the number that it got.

        Raises:
            TreadleError: Its repository cannot be used, or none answers.
        """
        try:
            return await self._workflows.open_flow(self._redactor.model(flow))
        except RepositoryError as error:
            if error.type != RepositoryError.type:
                raise
            raise NoRepositoryError(error.message) from error

    def _definition(self, name: str, place: Place) -> FlowDefinition:
        try:
            return self._files.definition(name, place.files)
        except UnknownFlowError as error:
            if place.files is None:
                raise UnknownFlowError(f"{error.message}. {_NOT_FROM_URL}") from error
            raise

    def has_changed(self, run: FlowRunView) -> bool:
        """Tell whether a flow's file has changed since a run of it started."""
        try:
            found = self._files.one(run.flow_name, Place(run.repository).files)
        except TreadleError:
            return True
        return found.content_hash != run.flow_hash

    def _chosen(
        self, definition: FlowDefinition, body: FlowRunBody, repository: str
    ) -> dict[str, ChosenAgent]:
        wanted = {
            name: ChosenAgent(agent=chosen.agent, model=chosen.model)
            for name, chosen in body.agents.items()
        }
        default = ChosenAgent(agent=body.agent, model=body.model) if body.agent else None
        named = {
            name: None if name not in wanted and self._is_usable(name, repository) else chosen
            for name, chosen in chosen_for(definition, wanted, default).items()
        }
        for name, chosen in named.items():
            agent = chosen.agent if chosen else name
            try:
                self._agents.refuse_unusable(repository, agent)
            except TreadleError as error:
                raise AgentUnavailableError(
                    f"no agent for the agent type {name!r}: {error.message}. "
                    f"Choose one with --agent {name}=AGENT, or one for all with --agent AGENT"
                ) from error
        return {name: chosen or ChosenAgent(agent=name) for name, chosen in named.items()}

    def _is_usable(self, agent: str, repository: str) -> bool:
        try:
            self._agents.refuse_unusable(repository, agent)
        except TreadleError:
            return False
        return True

    async def _id(self, name: str, command_id: str) -> StreamId:
        """Return the id of the run that the same command started, otherwise a free one."""
        known = [line.stream for line in await self._journal.headlines("flow")]
        waiting = (await self._queue.state()).entries
        taken = [number_of(run_id, name) for run_id in (*known, *waiting)]
        newest = max(taken, default=0)
        for number in range(newest, max(0, newest - _LOOKED_BACK), -1) if command_id else ():
            if await self._began_by(flow_run_id(name, number)) == command_id:
                return flow_run_id(name, number)
        return flow_run_id(name, newest + 1)

    async def _began_by(self, run_id: StreamId) -> str:
        try:
            return (await self._folds.fold(run_id)).state.command_id
        except NotFoundError:
            return ""  # it is queued, or was deleted


FlowStartsDep = Annotated[FlowStarts, Depends()]


def number_of(run_id: str, name: str) -> int:
    """Return the number of a flow's run; 0 if it is of another flow, or of a schedule.

    Numbers of schedules have twelve digits, those of a time.
    """
    found = re.fullmatch(rf"flow-{re.escape(name)}-(\d{{1,11}})", run_id, re.ASCII)
    return int(found[1]) if found else 0


async def _with_references(definition: FlowDefinition, journal: Journal) -> FlowDefinition:
    """Return a definition with its long texts, and those of its subflows, moved to the journal."""
    steps = [await _short(step, journal) for step in definition.steps]
    subflows = [await _with_references(each, journal) for each in definition.subflows]
    return definition.model_copy(update={"steps": tuple(steps), "subflows": tuple(subflows)})


async def _short(step: FlowStep, journal: Journal) -> FlowStep:
    asked = step.condition
    if asked is not None and len(asked.question) > INLINE:
        (cut,), refs = await _kept((asked.question,), journal)
        shorter = asked.model_copy(update={"question": cut})
        return step.model_copy(update={"condition": shorter, "message_refs": refs})
    if any(len(message) > INLINE for message in step.messages):
        messages, refs = await _kept(step.messages, journal)
        return step.model_copy(update={"messages": messages, "message_refs": refs})
    return step


async def _kept(texts: Sequence[str], journal: Journal) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the beginnings of long texts, and a reference to each whole text."""
    refs = [await journal.put_text(text) if len(text) > INLINE else "" for text in texts]
    cut = (f"{text[:_PREVIEW]}…" if ref else text for text, ref in zip(texts, refs, strict=True))
    return tuple(cut), tuple(refs)
