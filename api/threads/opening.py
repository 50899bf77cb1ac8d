"""The input of a thread, from a request and the settings."""

import hashlib
import secrets
from typing import Annotated

from fastapi import Depends

from adapters.files.recipe_text import read_recipe
from adapters.files.template_scopes import top_of
from api.core.agents import AgentsDep
from api.core.dependencies import JournalDep, Person, RedactorDep, SettingsDep
from api.core.problems import FieldProblem, RefusedError, echo
from api.threads.bodies import ThreadBody
from domain.core.errors import RepositoryError, TreadleError, UnknownAgentError, WrongStateError
from domain.core.ids import ThreadId, thread_id
from domain.plans.slash_commands import goal_to_plan
from domain.threads import patches
from domain.threads.inputs import ThreadInput

NO_AGENT = (
    "no agent was chosen and there is no default: choose one, or start the engine with ANTHROPIC_API_KEY, "
    "OPENAI_API_KEY or GEMINI_API_KEY set to use the built-in agent"
)


class ThreadPreparation:
    """Prepares threads."""

    def __init__(
        self,
        settings: SettingsDep,
        agents: AgentsDep,
        person: Person,
        redactor: RedactorDep,
        journal: JournalDep,
    ) -> None:
        self._journal = journal
        self._settings = settings
        self._agents = agents
        self._person = person
        self._redactor = redactor

    async def prepare(self, body: ThreadBody, number: int = 0) -> ThreadInput:
        """Return the input of a thread; the same `command_id` and number give the same id.

        Raises:
            TreadleError: Its agent or its recipe cannot be used, or planning is turned off.
            RefusedError: It has neither an agent nor a repository that can be used.
        """
        settings = self._settings
        if goal := goal_to_plan(body.goal):
            body = body.model_copy(update={"goal": goal, "is_planned": True})
        agent = body.agent or settings.default_agent
        if agent is None:
            raise _without_agent(body.repository)
        self._agents.refuse_unusable(body.repository, agent)
        planner = body.planner_over(settings.planner)
        if body.is_planned and not planner.enabled:
            raise WrongStateError(
                "planning is turned off: start a chat without --plan, or set TREADLE_PLANNER_ENABLED to "
                "true"
            )
        return ThreadInput(
            thread_id=self._id(body.goal, _suffix(body.command_id, number)),
            goal=body.goal,
            repository=body.repository,
            agent=agent,
            model=body.model,
            options=body.options,
            template=body.template,
            is_planned=body.is_planned,
            planner=planner,
            patches=patches.ALL,
            opened_by=self._person,
            has_plan_files=settings.plan_files if body.plan_files is None else body.plan_files,
            recipe=await self._recipe(body.workspace),
            also=tuple(body.also),
        )

    async def _recipe(self, text: str | None) -> str:
        """Return the reference of a recipe that a person gives, empty for that of the files."""
        if text is None:
            return ""
        recipe = read_recipe(text.encode(), "workspace")
        return await self._journal.put_text(recipe.model_dump_json())

    def _id(self, goal: str, suffix: str) -> ThreadId:
        """Return a thread's id, without the goal's words where they are a secret of this host."""
        name = thread_id(goal, suffix)
        return name if self._redactor.text(name) == name else thread_id("", suffix)


ThreadPreparationDep = Annotated[ThreadPreparation, Depends()]


def _without_agent(repository: str) -> TreadleError | RefusedError:
    """Return the refusal of a thread without an agent, with what is wrong with its repository as well."""
    try:
        has_git = (top_of(repository) / ".git").exists()
        fault = "" if has_git else f"{echo(repository)} is not in a git repository"
    except RepositoryError as error:
        fault = error.message
    if not fault:
        return UnknownAgentError(NO_AGENT)
    refused = RefusedError(422, UnknownAgentError.type, f"{NO_AGENT}; {fault}")
    refused.problem.errors = [
        FieldProblem(field="agent", detail=NO_AGENT),
        FieldProblem(field="repository", detail=fault),
    ]
    return refused


def _suffix(command_id: str, number: int) -> str:
    if not command_id:
        return secrets.token_hex(3)
    seed = f"{command_id}/{number}" if number else command_id
    return hashlib.sha256(seed.encode()).hexdigest()[:6]
