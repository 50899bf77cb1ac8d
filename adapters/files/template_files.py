"""Plan templates and prompts from files: ours, the user's and the repository's (seed 000)."""

import hashlib
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from adapters.files.frontmatter import MAX_BYTES, UnsafeYamlError, split
from domain.agents import Prompt, PromptName
from domain.errors import InvalidError, UnknownTemplateError
from domain.ids import is_name
from domain.templates import PlanTemplate

BUILT_IN = Path(__file__).resolve().parents[2] / "templates"
DEFAULT = "default"
REPOSITORY_FOLDERS = (".treadle/plan-templates", ".flowgentic/plan-templates")
SECTION = re.compile(r"(?m)^(?=## )")


@dataclass(frozen=True)
class _Scope:
    """A folder of templates and whose they are; nothing outside `root` is read."""

    source: str
    folder: Path
    root: Path


class TemplateFiles:
    """Implements `Templates`.

    A template is looked for in the repository, then in the user's configuration, then in ours; so a
    repository's own default wins over the user's, and that over ours.
    """

    def __init__(self, config_dir: Path | None = None, *, built_in: Path = BUILT_IN) -> None:
        self._config_dir = config_dir
        self._built_in = built_in

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        """Return a plan template; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
            InvalidError: The template's file can't be read; the message says where and why.
        """
        wanted = (name or DEFAULT).strip().lower()
        scopes = self._scopes(Path(repository))
        for scope in scopes:
            path = scope.folder / wanted / "TEMPLATE.md"
            if is_name(wanted) and path.is_file():
                return _read(scope, wanted, path)
        known = ", ".join(sorted({found for scope in scopes for found in _names(scope)}))
        raise UnknownTemplateError(f"there is no plan template {name!r}; there are: {known}")

    def render(self, prompt: Prompt) -> str:
        """Return a prompt's text; a section (`## …`) whose fields are all empty is left out."""
        text = self._prompt_file(prompt.name).read_text(encoding="utf-8")
        return "".join(_filled(section, prompt.fields) for section in SECTION.split(text)).strip()

    def _prompt_file(self, name: PromptName) -> Path:
        own = self._config_dir / "prompts" / f"{name}.md" if self._config_dir else None
        return own if own and own.is_file() else self._built_in / "prompts" / f"{name}.md"

    def _scopes(self, repository: Path) -> list[_Scope]:
        scopes = [_Scope("repo", repository / folder, repository) for folder in REPOSITORY_FOLDERS]
        if self._config_dir is not None:
            folder = self._config_dir / "plan-templates"
            scopes.append(_Scope("user", folder, folder))
        folder = self._built_in / "plan-templates"
        return [*scopes, _Scope("builtin", folder, folder)]


def _filled(section: str, fields: dict[str, str]) -> str:
    template = string.Template(section)
    names = template.get_identifiers()
    values = {name: fields.get(name, "").strip() for name in names}
    is_optional = section.startswith("## ") and names
    if is_optional and not any(values.values()):
        return ""
    return template.safe_substitute(values)


def _names(scope: _Scope) -> Iterator[str]:
    return (path.parent.name for path in scope.folder.glob("*/TEMPLATE.md"))


def _read(scope: _Scope, name: str, path: Path) -> PlanTemplate:
    try:
        if not path.resolve().is_relative_to(scope.root.resolve()):
            raise UnsafeYamlError("it is a link to somewhere else")  # noqa: TRY301  (one message for all)
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        front, _prose = split(raw)
        template = PlanTemplate.model_validate({"name": name, **front})
    except (OSError, UnsafeYamlError, ValidationError) as error:
        raise InvalidError(f"the plan template {path} can't be read: {error}") from error
    return template.model_copy(
        update={
            "source": scope.source,
            "path": str(path),
            "content_hash": hashlib.sha256(raw).hexdigest(),
        }
    )
