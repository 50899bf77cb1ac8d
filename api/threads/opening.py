"""The input of a thread, from a request and the settings."""

import hashlib
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Depends

from adapters.files.recipe_text import read_recipe
from adapters.files.template_files import TemplateFiles
from adapters.files.template_scopes import top_of
from adapters.files.trusted_templates import TrustedTemplates
from api.core.agents import AgentsDep
from api.core.attached import AttachedDep
from api.core.dependencies import JournalDep, RedactorDep, SettingsDep
from api.core.permissions import PermitsDep
from api.core.problems import FieldProblem, RefusedError, echo
from api.threads.bodies import ThreadBody
from domain.agents.past_sessions import ImportedSession
from domain.core.errors import (
    InvalidError,
    RepositoryError,
    TreadleError,
    UnknownAgentError,
    UnknownTemplateError,
    WrongStateError,
)
from domain.core.ids import ThreadId, imported_thread_id, thread_id, thread_id_of_program
from domain.core.remote_repositories import is_remote, local_folder, read_remote
from domain.hosts.host import Labels
from domain.people.roles import Role
from domain.plans.best_of import BestOf, find_faults
from domain.plans.settings import PlannerSettings
from domain.plans.slash_commands import goal_to_plan
from domain.plans.templates.template import TemplateSource
from domain.threads import patches
from domain.threads.inputs import ThreadInput
from settings import config_dir, home_dir

NO_AGENT = (
    "no agent was chosen and there is no default: choose one, or start the engine with ANTHROPIC_API_KEY, "
    "OPENAI_API_KEY or GEMINI_API_KEY set to use the built-in agent"
)


_NO_PLANNING = (
    "planning is turned off: start a chat without --plan, or set TREADLE_PLANNER_ENABLED to true"
)


def _templates(settings: SettingsDep) -> TemplateFiles:
    trusted = TrustedTemplates(settings.data_dir)
    return TemplateFiles(config_dir(), home=home_dir(), trusted=trusted)


class FilesHere:
    """The agents and templates that are known on this machine."""

    def __init__(
        self, agents: AgentsDep, templates: Annotated[TemplateFiles, Depends(_templates)]
    ) -> None:
        self.agents = agents
        self._templates = templates

    def labels_of(self, choice: str | None, repository: str) -> Labels:
        """Return the labels of the template that a thread will have, where this machine can know which it is.

        Of a repository that is elsewhere only a host knows whether it has a template of that name.
        """
        folder = local_folder(repository)
        scope = (choice or "").partition(":")[0]
        if folder is None and scope not in {TemplateSource.USER, TemplateSource.BUILTIN}:
            return ()
        try:
            template = self._templates.view(choice, folder).template
        except (RepositoryError, UnknownTemplateError):
            return ()  # the host that opens it looks at its own files
        return template.labels if template else ()


class ThreadPreparation:
    """Prepares threads."""

    def __init__(
        self,
        settings: SettingsDep,
        files: Annotated[FilesHere, Depends()],
        redactor: RedactorDep,
        journal: JournalDep,
        *,
        permits: PermitsDep,
        attached: AttachedDep,
    ) -> None:
        self._attached = attached
        self._permits = permits
        self._journal = journal
        self._settings = settings
        self._files = files
        self._redactor = redactor

    async def prepare(self, body: ThreadBody, number: int = 0) -> ThreadInput:
        """Return the input of a thread; the same `command_id` and number give the same id.

        A person approves the plan of whoever only proposes, whatever the settings say of others.

        Raises:
            TreadleError: Its agent, its recipe or its URL cannot be used, or planning is turned off.
            RefusedError: It has neither an agent nor a repository that can be used.
        """
        settings = self._settings
        body = body.model_copy(update=self._places(body))
        self._refuse_without_role(body)
        body = _as_plan(body)
        agent = body.agent or settings.default_agent
        if agent is None:
            raise _without_agent(body.repository)
        self._files.agents.refuse_unusable(body.repository, agent)
        planner, imports = self._planner(body), _imports(body)
        name = self._name(body, agent, _suffix(body.command_id, number))
        self._permits.note(name, body.repository)
        return ThreadInput(
            thread_id=name,
            goal=body.goal,
            repository=body.repository,
            agent=agent,
            model=body.model,
            options=body.options,
            template=body.template,
            is_planned=body.is_planned,
            planner=planner,
            patches=patches.ALL,
            opened_by=self._permits.access.caller.signature,
            has_plan_files=settings.plan_files if body.plan_files is None else body.plan_files,
            recipe=await self._recipe(body.workspace),
            also=tuple(body.also),
            attachments=await self._attached.seen(body.attachments),
            imports=imports,
            best_of=self._best_of(body),
            hosts=body.wish.with_labels(self._files.labels_of(body.template, body.repository)),
        )

    def _planner(self, body: ThreadBody) -> PlannerSettings:
        """Return the settings of its plans.

        Raises:
            WrongStateError: Planning is turned off.
        """
        planner = body.planner_over(self._settings.planner)
        if body.is_planned and not planner.enabled:
            raise WrongStateError(_NO_PLANNING)
        if not self._permits.may_in(Role.AUTHOR, body.repository):
            planner = planner.model_copy(update={"auto_run": False})
        return planner

    def _best_of(self, body: ThreadBody) -> BestOf | None:
        """Return the agents that do each task at once.

        Raises:
            InvalidError: They are too many, or one is there twice.
            TreadleError: One can't be used.
        """
        if body.best_of is None:
            return None
        best_of = body.best_of.best_of
        with _about("best_of"):
            for words in find_faults(best_of):
                raise InvalidError(words)
            for choice in best_of.everyone:
                self._files.agents.refuse_unusable(body.repository, choice.agent)
        return best_of

    def _places(self, body: ThreadBody) -> dict[str, Any]:
        """Return the repositories of a request, those by URL as threads keep them.

        Raises:
            InvalidRepositoryUrlError: One is no URL that may be used here.
        """
        schemes = self._settings.schemes
        repository, *also = (
            str(read_remote(name, schemes)) if is_remote(name) else name
            for name in (body.repository, *body.also)
        )
        return {"repository": repository, "also": also}

    def _refuse_without_role(self, body: ThreadBody) -> None:
        """Refuse whoever may not open a thread there: what skips an approval, or costs more, needs an approver.

        How its agent and its plans run is for who works there, not for who only proposes.
        """
        planner = body.planner.model_dump(exclude_none=True)
        skips = any(planner.get(name) for name in ("auto_run", "plan_approval"))
        skips = skips or body.workspace or self._raises_limit(body)
        has_wishes = planner or body.options or body.continues or body.best_of
        others = (body.workspace, body.plan_files, body.max_parallel_tasks)
        is_told = has_wishes or any(wish is not None for wish in others)
        needed = Role.AUTHOR if is_told else Role.PROPOSER
        self._permits.require_in(Role.APPROVER if skips else needed, body.repository)
        for folder in body.also:
            self._permits.require_in(Role.APPROVER, folder)

    def _raises_limit(self, body: ThreadBody) -> bool:
        """Tell whether a thread or a task may cost more than others, which an approver says at the limit, too."""
        usual = self._settings.planner
        wanted = body.planner.over(usual)
        pairs = (
            (wanted.max_thread_usd, usual.max_thread_usd),
            (wanted.max_task_usd, usual.max_task_usd),
        )
        return any(own is not None and most is not None and own > most for own, most in pairs)

    async def _recipe(self, text: str | None) -> str:
        """Return the reference of a recipe that a person gives, empty for that of the files."""
        if text is None:
            return ""
        recipe = read_recipe(text.encode(), "workspace")
        return await self._journal.put_text(recipe.model_dump_json())

    def _name(self, body: ThreadBody, agent: str, suffix: str) -> ThreadId:
        """Return a thread's id: of one that continues a session always the same."""
        if body.continues is not None:
            return imported_thread_id(agent, body.continues.agent_session)
        return self._id(body.goal, suffix)

    def _id(self, goal: str, suffix: str) -> ThreadId:
        """Return a thread's id, without the goal's words where they are a secret of this host."""
        is_program = bool(self._permits.access.caller.program)
        id_of = thread_id_of_program if is_program else thread_id
        name = id_of(goal, suffix)
        return name if self._redactor.text(name) == name else id_of("", suffix)


ThreadPreparationDep = Annotated[ThreadPreparation, Depends()]


def _without_agent(repository: str) -> TreadleError | RefusedError:
    """Return the refusal of a thread without an agent, with what is wrong with its repository as well."""
    try:
        has_git = is_remote(repository) or (top_of(repository) / ".git").exists()
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


def _as_plan(body: ThreadBody) -> ThreadBody:
    """Return a request that is planned at once where its goal begins with `/plan`."""
    goal = goal_to_plan(body.goal)
    return body.model_copy(update={"goal": goal, "is_planned": True}) if goal else body


def _imports(body: ThreadBody) -> ImportedSession | None:
    """Return the session that a thread goes on with; it is a chat at first.

    Raises:
        InvalidError: It would be planned, or has other repositories.
    """
    if body.continues is None:
        return None
    with _about("continues"):
        if body.is_planned or body.also:
            raise InvalidError(
                "a session is continued as a chat on one repository: plan in it afterwards"
            )
    return ImportedSession(**body.continues.model_dump())


@contextmanager
def _about(field: str) -> Generator[None]:
    """Have what is refused within name a field of the body."""
    try:
        yield
    except TreadleError as error:
        error.field = field
        raise


def _suffix(command_id: str, number: int) -> str:
    if not command_id:
        return secrets.token_hex(3)
    seed = f"{command_id}/{number}" if number else command_id
    return hashlib.sha256(seed.encode()).hexdigest()[:6]
