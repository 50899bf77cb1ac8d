"""The files of this host: templates, recipes, agents, and what is trusted here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from adapters.agent_programs.host import Host
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.recipe_files import RecipeFiles
from adapters.files.template_files import TemplateFiles
from adapters.files.template_scopes import top_of
from adapters.files.trusted_files import TrustedFiles
from adapters.files.trusted_metadata import TrustedMetadata
from adapters.files.trusted_templates import TrustedTemplates
from domain.core.errors import RepositoryError
from domain.core.remote_repositories import is_remote
from domain.hosts.file_calls import FileCall, FileSubject
from domain.recipes.errors import InvalidRecipeError
from domain.recipes.ports import FoundRecipe, RecipeSource, RecipeView


class FilesOfHost:
    """Implements `HostFiles`; `is_here` tells whether agents would be started on this host."""

    def __init__(self, config_dir: Path, host: Host, *, is_here: bool = True) -> None:
        data_dir = host.data_dir
        self._host = host
        self._is_here = is_here
        trusted = TrustedTemplates(data_dir)
        self._templates = TemplateFiles(config_dir, home=host.home, trusted=trusted)
        self._recipes = RecipeFiles(config_dir, TrustedFiles(data_dir, "recipe"))
        self._agents = AgentFiles(config_dir, trusted=TrustedFiles(data_dir, TRUSTED_AGENTS))
        self._metadata = TrustedMetadata(data_dir)
        self._answers: dict[FileSubject, Callable[[FileCall], Any]] = {
            FileSubject.TEMPLATES: self._templates_of,
            FileSubject.TEMPLATE: self._template,
            FileSubject.CREATE_TEMPLATE: self._create_template,
            FileSubject.TRUST_TEMPLATE: self._trust_template,
            FileSubject.RECIPE: self._recipe,
            FileSubject.KEEP_RECIPE: self._keep_recipe,
            FileSubject.TRUST_RECIPE: self._trust_recipe,
            FileSubject.AGENTS: self._agents_of,
            FileSubject.AGENT: self._agent,
            FileSubject.USABLE_AGENT: self._usable_agent,
            FileSubject.TRUST_AGENT: self._trust_agent,
            FileSubject.METADATA: self._changed_metadata,
            FileSubject.TRUST_METADATA: self._trust_metadata,
        }

    def answer(self, call: FileCall) -> str:
        """Carry out a question, and return the answer as JSON.

        Raises:
            RepositoryError: The repository is not here, or is another one than the person may see.
            TreadleError: The files refuse it.
        """
        self._check_repository(call)
        return to_json(self._answers[call.subject](call)).decode()

    def _check_repository(self, call: FileCall) -> None:
        if not call.has_repository or not call.repository or is_remote(call.repository):
            return
        top = str(top_of(call.repository))
        if call.project not in {"*", top}:
            raise RepositoryError(f"{call.repository[:80]!r} is another repository on this host")

    def _templates_of(self, call: FileCall) -> Any:
        return self._templates.found(call.repository)

    def _template(self, call: FileCall) -> Any:
        return self._templates.view(call.name, call.repository)

    def _create_template(self, call: FileCall) -> Any:
        return self._templates.create(call.name, call.repository)

    def _trust_template(self, call: FileCall) -> Any:
        self._templates.trust(call.name, call.repository or "", call.content_hash, call.by)
        return self._templates.view(call.name, call.repository).found

    def _recipe(self, call: FileCall) -> RecipeView:
        repository = call.repository or ""
        try:
            found = self._recipes.found(repository)
        except InvalidRecipeError as error:
            return RecipeView(problem=error.message, text=self._recipes.text(repository))
        return RecipeView(found=found, text=self._recipes.text(repository))

    def _keep_recipe(self, call: FileCall) -> FoundRecipe:
        source = RecipeSource(call.source)
        return self._recipes.keep(call.repository or "", call.text, call.by, source)

    def _trust_recipe(self, call: FileCall) -> FoundRecipe:
        return self._recipes.trust(call.repository or "", call.content_hash, call.by)

    def _statuses(self, call: FileCall) -> AgentStatuses:
        return AgentStatuses(self._host, is_here=self._is_here, default_agent=call.default_agent)

    def _agents_of(self, call: FileCall) -> Any:
        statuses = self._statuses(call)
        return [statuses.of(found) for found in self._agents.found(call.repository)]

    def _agent(self, call: FileCall) -> Any:
        return self._statuses(call).details(self._agents.one(call.name, call.repository))

    def _usable_agent(self, call: FileCall) -> str:
        return self._agents.profile(call.name, call.repository).name

    def _trust_agent(self, call: FileCall) -> Any:
        self._agents.trust(call.name, call.repository or "", call.content_hash, call.by)
        return self._statuses(call).of(self._agents.one(call.name, call.repository))

    def _changed_metadata(self, call: FileCall) -> Any:
        return self._metadata.refused(Path(call.repository or ""))

    def _trust_metadata(self, call: FileCall) -> Any:
        repository = Path(call.repository or "")
        self._metadata.accept(repository, call.content_hash)
        return self._metadata.refused(repository)
