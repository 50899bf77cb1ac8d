"""Plan templates and prompts from files: ours, the user's and the repository's (seed 000)."""

import hashlib
import re
import string
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from adapters.files.beneath import (
    PathProblem,
    PathRefusedError,
    folders_beneath,
    read_beneath,
    stat_beneath,
)
from adapters.files.frontmatter import MAX_BYTES, UnsafeYamlError, split
from adapters.files.known_keys import MisspeltKeyError, unknown_keys
from domain.agents import Prompt, PromptName
from domain.errors import InvalidError, UnknownTemplateError
from domain.ids import is_name
from domain.templates import PlanTemplate

BUILT_IN = Path(__file__).resolve().parents[2] / "templates"
DEFAULT = "default"
FILE = "TEMPLATE.md"
REPOSITORY_FOLDERS = (".treadle/plan-templates", ".flowgentic/plan-templates")
SECTION = re.compile(r"(?m)^(?=## )")
MAX_FOLDERS = 200
MAX_NAME = 80
_SET_BY_US = {"name", "source", "path", "content_hash", "warnings"}


@dataclass(frozen=True)
class FoundTemplate:
    """A template that could be chosen; `problem` says why it can't be, empty for a sound one."""

    name: str
    source: str
    problem: str = ""


@dataclass(frozen=True)
class _Scope:
    """A folder of templates below `root` and whose they are; nothing outside `root` is read."""

    source: str
    root: Path
    folder: str


class TemplateFiles:
    """Implements `Templates`.

    A template is looked for in the repository, then in the user's configuration, then in ours; so a
    repository's own default wins over the user's, and that over ours.
    """

    def __init__(self, config_dir: Path | None = None, *, built_in: Path = BUILT_IN) -> None:
        # the user's own folder may be a link; below it none is followed
        self._config_dir = config_dir.resolve() if config_dir else None
        self._built_in = built_in

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        """Return a plan template; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
            InvalidError: The template's file can't be read; the message says where and why.
        """
        wanted = (name or DEFAULT).strip().lower()
        for scope in self._scopes(repository):
            if is_name(wanted) and _is_there(scope, wanted):
                return _read(scope, wanted)
        known = sorted({_shown(found) for found in self.found(repository)})
        raise UnknownTemplateError(
            f"there is no plan template {name!r}; there are: {', '.join(known)}"
        )

    def found(self, repository: str) -> list[FoundTemplate]:
        """Return all templates, the repository's first, those that can't be read with the reason.

        Of each folder the first 200 names; a note stands for the rest.
        """
        return [found for scope in self._scopes(repository) for found in _found(scope)]

    def render(self, prompt: Prompt) -> str:
        """Return a prompt's text; a section (`## …`) whose fields are all empty is left out."""
        text = self._prompt_file(prompt.name).read_text(encoding="utf-8")
        return "".join(_filled(section, prompt.fields) for section in SECTION.split(text)).strip()

    def _prompt_file(self, name: PromptName) -> Path:
        own = self._config_dir / "prompts" / f"{name}.md" if self._config_dir else None
        return own if own and own.is_file() else self._built_in / "prompts" / f"{name}.md"

    def _scopes(self, repository: str) -> list[_Scope]:
        root = Path(repository).resolve()
        scopes = [_Scope("repo", root, folder) for folder in REPOSITORY_FOLDERS]
        if self._config_dir is not None:
            scopes.append(_Scope("user", self._config_dir, "plan-templates"))
        return [*scopes, _Scope("builtin", self._built_in, "plan-templates")]


def _filled(section: str, fields: dict[str, str]) -> str:
    template = string.Template(section)
    names = template.get_identifiers()
    values = {name: fields.get(name, "").strip() for name in names}
    is_optional = section.startswith("## ") and names
    if is_optional and not any(values.values()):
        return ""
    return template.safe_substitute(values)


def _is_there(scope: _Scope, name: str) -> bool:
    """Tell whether a scope has a template of a name, be it a broken one."""
    try:
        stat_beneath(scope.root, f"{scope.folder}/{name}/{FILE}")
    except PathRefusedError as error:
        return error.problem is not PathProblem.MISSING
    return True


def _found(scope: _Scope) -> list[FoundTemplate]:
    try:
        names = folders_beneath(scope.root, scope.folder)
    except PathRefusedError as error:
        return [FoundTemplate(scope.folder, scope.source, str(error))]
    found = [_looked_at(scope, name) for name in names[:MAX_FOLDERS] if _is_there(scope, name)]
    if len(names) > MAX_FOLDERS:
        left = f"only the first {MAX_FOLDERS} of {len(names)} folders are looked at"
        found.append(FoundTemplate(scope.folder, scope.source, left))
    return found


def _looked_at(scope: _Scope, name: str) -> FoundTemplate:
    if not is_name(name):
        problem = "its folder's name must be a-z, 0-9 and dashes"
        return FoundTemplate(name, scope.source, problem)
    try:
        _read(scope, name)
    except InvalidError as error:
        return FoundTemplate(name, scope.source, error.message)
    return FoundTemplate(name, scope.source)


def _shown(found: FoundTemplate) -> str:
    return f"{found.name} ({found.problem})" if found.problem else found.name


def _read(scope: _Scope, name: str) -> PlanTemplate:
    path = f"{scope.folder}/{name}/{FILE}"
    whole = scope.root / path
    try:
        raw = read_beneath(scope.root, path, MAX_BYTES)
        front, _prose = split(raw)
        warnings = unknown_keys(PlanTemplate, front)
        own = {key: value for key, value in front.items() if key not in _SET_BY_US}
        template = PlanTemplate.model_validate({**own, "name": _name(front.get("name", name))})
    except (PathRefusedError, UnsafeYamlError, MisspeltKeyError, ValidationError) as error:
        raise InvalidError(f"the plan template {whole} can't be read: {error}") from error
    return template.model_copy(
        update={
            "source": scope.source,
            "path": str(whole),
            "content_hash": hashlib.sha256(raw).hexdigest(),
            "warnings": tuple(warnings),
        }
    )


def _name(value: object) -> str:
    """Return a name fit for a page and a terminal: short, one line, nothing that turns text around."""
    if not isinstance(value, str) or not value.strip():
        raise UnsafeYamlError("wrong_type", "its name must be a text that is not empty")
    is_plain = all(unicodedata.category(letter)[0] != "C" for letter in value)
    if len(value) > MAX_NAME or not is_plain or "/" in value:
        words = (
            f"its name must have at most {MAX_NAME} characters, no '/' and no control characters"
        )
        raise UnsafeYamlError("bad_name", words)
    return value
