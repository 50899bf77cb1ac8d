"""The input of a thread, from a request and the settings."""

import hashlib
import secrets
from typing import Annotated

from fastapi import Depends

from api.core.agents import AgentsDep
from api.core.dependencies import Person, SettingsDep
from api.threads.bodies import ThreadBody
from domain.core.errors import UnknownAgentError, WrongStateError
from domain.core.ids import thread_id
from domain.threads import patches
from domain.threads.inputs import ThreadInput


class ThreadPreparation:
    """Prepares threads."""

    def __init__(self, settings: SettingsDep, agents: AgentsDep, person: Person) -> None:
        self._settings = settings
        self._agents = agents
        self._person = person

    def prepare(self, body: ThreadBody, number: int = 0) -> ThreadInput:
        """Return the input of a thread; the same `command_id` and number give the same id.

        Raises:
            TreadleError: Its agent cannot be used, or planning is turned off.
        """
        settings = self._settings
        agent = body.agent or settings.default_agent
        if agent is None:
            raise UnknownAgentError(
                "no agent was chosen and there is no default: choose one with --agent NAME (see `treadle "
                "agents`), or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for `treadle up` "
                "to use the built-in agent"
            )
        self._agents.refuse_unusable(body.repository, agent)
        planner = body.planner_over(settings.planner)
        if body.is_planned and not planner.enabled:
            raise WrongStateError(
                "planning is turned off: start a chat without --plan, or set TREADLE_PLANNER_ENABLED to "
                "true"
            )
        return ThreadInput(
            thread_id=thread_id(body.goal, _suffix(body.command_id, number)),
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
        )


ThreadPreparationDep = Annotated[ThreadPreparation, Depends()]


def _suffix(command_id: str, number: int) -> str:
    if not command_id:
        return secrets.token_hex(3)
    seed = f"{command_id}/{number}" if number else command_id
    return hashlib.sha256(seed.encode()).hexdigest()[:6]
