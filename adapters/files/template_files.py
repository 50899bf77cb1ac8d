"""Plan templates and prompts from files: ours, the user's and the repository's."""

import re
import string
from collections.abc import Iterable, Iterator
from pathlib import Path

from adapters.files.template_listing import broken, hidden, in_words, not_trusted
from adapters.files.template_scopes import FOLDERS, MAX_FOLDERS, Scope, scopes_of_repository
from adapters.files.template_text import BadTemplateError
from adapters.files.trusted_templates import TrustedTemplates
from domain.agents.agents import Prompt, PromptName
from domain.core.errors import (
    InvalidTemplateError,
    NotShownError,
    TemplateNotTrustedError,
    UnknownTemplateError,
)
from domain.core.ids import is_name
from domain.plans.templates.template import PlanTemplate, TemplateSource
from domain.plans.templates.views import FoundTemplate, TemplateProblem, TemplateView

BUILT_IN = Path(__file__).resolve().parents[2] / "templates"
DEFAULT = "default"
OURS = "plan-templates"
SECTION = re.compile(r"(?m)^(?=## )")


class TemplateFiles:
    """Implements `Templates`.

    A template is looked for in the repository, then at the user's, then among ours; so a
    repository's own default goes before the user's, and that before ours. `user:default` names the
    user's even so.
    """

    def __init__(
        self,
        config_dir: Path | None = None,
        *,
        home: Path | None = None,
        trusted: TrustedTemplates | None = None,
        built_in: Path = BUILT_IN,
    ) -> None:
        # the user's own folders may be links; below them none is followed
        self._config_dir = config_dir.resolve() if config_dir else None
        self._home = home.resolve() if home else None
        self._trusted = trusted
        self._built_in = built_in

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        """Return the template that a thread is opened with; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
            InvalidTemplateError: The template's file can't be used; the message says where and why.
            TemplateNotTrustedError: It would act, and nobody has let it.
        """
        template = self._usable(name, repository)
        if not self._may_act(template):
            raise TemplateNotTrustedError(not_trusted(template))
        return template

    def found(self, repository: str | None) -> list[FoundTemplate]:
        """Return all templates, the repository's first, those that can't be used with the reason.

        Of each folder the first 200 names; a note stands for the rest.
        """
        seen: dict[str, FoundTemplate] = {}
        found: list[FoundTemplate] = []
        for scope in self._scopes(repository):
            for each in self._in_scope(scope):
                first = seen.setdefault(each.choice, each)
                found.append(each if first is each else hidden(each, first))
        default = next((each for each in found if each.choice.endswith(f":{DEFAULT}")), None)
        return [each.model_copy(update={"is_default": each is default}) for each in found]

    def view(self, choice: str | None, repository: str | None) -> TemplateView:
        """Return one template whole, be it a broken one; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
        """
        source, _, wanted = (choice or DEFAULT).strip().lower().rpartition(":")
        for scope in self._scopes(repository):
            if source in {"", scope.source} and is_name(wanted) and scope.has(wanted):
                return self._look(scope, wanted)
        raise UnknownTemplateError(
            f"there is no plan template {choice!r}; there are: {in_words(self.found(repository))}"
        )

    def trust(self, choice: str, repository: str, content_hash: str, by: str) -> None:
        """Let a template act that a person has looked at; once more is harmless.

        Raises:
            UnknownTemplateError: No such template.
            InvalidTemplateError: Its file can't be used.
            NotShownError: It is not what the person was shown.
        """
        template = self._usable(choice, repository)
        if template.content_hash != content_hash:
            raise NotShownError(f"{template.path} has changed since it was shown")
        if self._trusted is not None:
            self._trusted.add(template, by)

    def create(self, name: str, repository: str | None) -> FoundTemplate:
        """Write a commented template, into the repository or else among the user's own.

        Raises:
            InvalidError: The name can't be one, or the place can't be written to.
            TemplateExistsError: There is one of that name.
        """
        scope = next(iter(self._scopes(repository)))
        if scope.source is TemplateSource.USER:
            scope.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = string.Template((self._built_in / "plan-template.md").read_text(encoding="utf-8"))
        named = name.replace("-", " ").capitalize()
        scope.create(name, text.safe_substitute(id=name, name=named))
        return self._look(scope, name).found

    def render(self, prompt: Prompt) -> str:
        """Return a prompt's text; a section (`## …`) whose fields are all empty is left out."""
        text = self._prompt_file(prompt.name).read_text(encoding="utf-8")
        return "".join(_filled(section, prompt.fields) for section in SECTION.split(text)).strip()

    def _prompt_file(self, name: PromptName) -> Path:
        own = self._config_dir / "prompts" / f"{name}.md" if self._config_dir else None
        return own if own and own.is_file() else self._built_in / "prompts" / f"{name}.md"

    def _scopes(self, repository: str | None) -> Iterable[Scope]:
        """Return where to look, each folder once: the home may be a repository, too."""
        scopes: dict[str, Scope] = {}
        for scope in self._all_scopes(repository):
            scopes.setdefault(scope.path, scope)
        return scopes.values()

    def _all_scopes(self, repository: str | None) -> Iterator[Scope]:
        if repository is not None:
            yield from scopes_of_repository(repository)
        if self._config_dir is not None:
            yield Scope(TemplateSource.USER, self._config_dir, OURS)
        if self._home is not None:
            yield from (Scope(TemplateSource.USER, self._home, folder) for folder in FOLDERS)
        yield Scope(TemplateSource.BUILTIN, self._built_in, OURS)

    def _usable(self, choice: str | None, repository: str) -> PlanTemplate:
        view = self.view(choice, repository)
        if view.template is None or view.found.problem is not None:
            reason = view.found.problem.message if view.found.problem else "it is not whole"
            raise InvalidTemplateError(
                f"the plan template {view.found.path} can't be used: {reason}. Fix it, or choose "
                "another one, like builtin:default"
            )
        return view.template

    def _may_act(self, template: PlanTemplate) -> bool:
        """Tell whether nobody needs to be asked: no agent can have written it, or it was trusted."""
        if not template.acts or template.source is TemplateSource.BUILTIN:
            return True
        # the configuration folder is the one of the user's that agents cannot write to
        own = self._config_dir if template.source is TemplateSource.USER else None
        if own is not None and Path(template.path).is_relative_to(own):
            return True
        return self._trusted is not None and self._trusted.has(template)

    def _in_scope(self, scope: Scope) -> Iterator[FoundTemplate]:
        try:
            names, count = scope.names()
        except BadTemplateError as error:
            yield broken(scope, scope.folder, error.problem)
            return
        yield from (self._look(scope, name).found for name in names)
        if count > MAX_FOLDERS:
            words = f"only the first {MAX_FOLDERS} of {count} folders are looked at"
            yield broken(scope, scope.folder, TemplateProblem(type="too_many", message=words))

    def _look(self, scope: Scope, name: str) -> TemplateView:
        try:
            template, raw = scope.read(name)
        except BadTemplateError as error:
            return TemplateView(found=broken(scope, name, error.problem))
        found = FoundTemplate(
            choice=f"{scope.source}:{name}",
            label=template.label,
            source=scope.source,
            path=template.path,
            description=template.description,
            content_hash=template.content_hash,
            is_trusted=self._may_act(template),
            acts=template.acts,
            warnings=template.warnings,
        )
        return TemplateView(found=found, template=template, text=raw.decode("utf-8-sig"))


def _filled(section: str, fields: dict[str, str]) -> str:
    template = string.Template(section)
    names = template.get_identifiers()
    values = {name: fields.get(name, "").strip() for name in names}
    is_optional = section.startswith("## ") and names
    if is_optional and not any(values.values()):
        return ""
    return template.safe_substitute(values)
