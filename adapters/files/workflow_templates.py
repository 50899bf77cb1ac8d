"""Workflow templates from files: a YAML file each, in the repository, at the user's, among ours."""

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from adapters.files.frontmatter import MAX_BYTES, Frontmatter, UnsafeYamlError, placed_yaml
from adapters.files.safe_open import PathRefusedError, list_files, safe_read
from adapters.files.template_scopes import top_of
from domain.core.errors import InvalidTemplateError, UnknownTemplateError
from domain.core.ids import is_name
from domain.plans.templates.rules import Fault
from domain.plans.templates.template import TemplateSource
from domain.plans.templates.views import TemplateProblem
from domain.queue.workflow_templates.rules import faults
from domain.queue.workflow_templates.template import FoundWorkflow, WorkflowTemplate

FOLDER = "workflow-templates"
IN_REPOSITORY = f".treadle/{FOLDER}"
MAX_FILES = 200
_BUILT_IN = Path(__file__).resolve().parents[2] / "templates"
_MOST = 50
_SUFFIX = ".yaml"
_NAMES = {
    "extra_forbidden": ("unknown_key", "there is no such key"),
    "missing": ("missing_field", "it must be given"),
    "greater_than_equal": ("out_of_range", ""),
    "less_than_equal": ("out_of_range", ""),
}
"""Our names and words for pydantic's; what ends in `_type` is `wrong_type`."""


class _Scope(NamedTuple):
    """A folder of templates below `root`; no link is followed in it."""

    source: TemplateSource
    root: Path
    folder: str

    def file_of(self, name: str) -> str:
        return f"{self.folder}/{name}{_SUFFIX}"


class WorkflowTemplateFiles:
    """The workflow templates that can be started; read afresh each time.

    A repository's goes before the user's of the same name, and that before ours.
    """

    def __init__(self, config_dir: Path | None = None, *, built_in: Path = _BUILT_IN) -> None:
        self._config_dir = config_dir.resolve() if config_dir else None
        self._built_in = built_in

    def found(self, repository: str | None) -> list[FoundWorkflow]:
        """Return all templates, the repository's first, those that can't be used with the reasons.

        Raises:
            RepositoryError: There is no such folder.
        """
        taken: set[str] = set()
        every: list[FoundWorkflow] = []
        for scope in self._scopes(repository):
            here = list(_in_scope(scope))
            every += [e.model_copy(update={"is_hidden": e.name in taken}) for e in here]
            taken.update(each.name for each in here)
        return every

    def one(self, name: str, repository: str | None) -> FoundWorkflow:
        """Return the template that counts for a name, be it a broken one.

        Raises:
            UnknownTemplateError: There is none; the message lists the known ones.
            RepositoryError: There is no such folder.
        """
        every = self.found(repository)
        for each in every:
            if each.name == name:
                return each
        known = ", ".join(sorted({each.name for each in every})[:_MOST]) or "none"
        raise UnknownTemplateError(
            f"there is no workflow template {name[:80]!r}; there are: {known}"
        )

    def usable(self, name: str, repository: str | None) -> tuple[FoundWorkflow, WorkflowTemplate]:
        """Return a template that can be started, and its file.

        Raises:
            UnknownTemplateError: There is none; the message lists the known ones.
            InvalidTemplateError: Its file can't be used; the message says where and why.
            RepositoryError: There is no such folder.
        """
        found = self.one(name, repository)
        if found.template is None or found.problems:
            reasons = "; ".join(problem.message for problem in found.problems)
            raise InvalidTemplateError(
                f"the workflow template {found.path} can't be used: {reasons}"
            )
        return found, found.template

    def _scopes(self, repository: str | None) -> Iterator[_Scope]:
        if repository is not None:
            yield _Scope(TemplateSource.REPO, top_of(repository), IN_REPOSITORY)
        if self._config_dir is not None:
            yield _Scope(TemplateSource.USER, self._config_dir, FOLDER)
        yield _Scope(TemplateSource.BUILTIN, self._built_in, FOLDER)


def _in_scope(scope: _Scope) -> Iterator[FoundWorkflow]:
    try:
        files = list_files(scope.root, scope.folder, _SUFFIX)
    except PathRefusedError as error:
        problem = TemplateProblem(type="unreadable", message=str(error))
        yield FoundWorkflow(
            name="", scope=scope.source, path=str(scope.root / scope.folder), problems=(problem,)
        )
        return
    for file in files[:MAX_FILES]:
        yield _look(scope, file.removesuffix(_SUFFIX))


def _look(scope: _Scope, name: str) -> FoundWorkflow:
    # a file's name may be no Unicode
    shown = name.encode("utf-8", "backslashreplace").decode()
    found = FoundWorkflow(
        name=shown, scope=scope.source, path=str(scope.root / scope.file_of(shown))
    )
    if not is_name(name):
        words = "its name must be lowercase letters, digits and dashes, at most 63"
        problem = TemplateProblem(type="bad_name", message=words)
        return found.model_copy(update={"problems": (problem,)})
    try:
        raw = safe_read(scope.root, scope.file_of(name), MAX_BYTES)
    except PathRefusedError as error:
        problem = TemplateProblem(type="unreadable", message=str(error))
        return found.model_copy(update={"problems": (problem,)})
    template, problems = read_workflow_template(raw)
    known = {"content_hash": hashlib.sha256(raw).hexdigest(), "template": template}
    return found.model_copy(update={**known, "problems": problems})


def read_workflow_template(
    raw: bytes,
) -> tuple[WorkflowTemplate | None, tuple[TemplateProblem, ...]]:
    """Return what a file says, None where it has another shape, and all that is wrong with it."""
    try:
        front = placed_yaml(raw)
    except UnsafeYamlError as error:
        where = {"line": error.line, "column": error.column}
        return None, (TemplateProblem(type=error.type, message=str(error), **where),)
    try:
        # as JSON a strict reader takes lists for tuples, and neither a text for a number nor "yes"
        template = WorkflowTemplate.model_validate_json(json.dumps(front.values), strict=True)
    except ValidationError as error:
        every = error.errors(include_input=False, include_url=False)[:_MOST]
        return None, tuple(_problem(front, _fault(each)) for each in every)
    return template, tuple(_problem(front, each) for each in islice(faults(template), _MOST))


def _fault(error: ErrorDetails) -> Fault:
    kind = error["type"]
    known = "wrong_type" if kind.endswith("_type") else "bad_value"
    type_name, words = _NAMES.get(kind, (known, ""))
    return Fault(error["loc"], type_name, words or error["msg"].removeprefix("Value error, "))


def _problem(front: Frontmatter, fault: Fault) -> TemplateProblem:
    line, column = front.place_of(fault.place)
    shown = ".".join(map(str, fault.place))[:80]
    return TemplateProblem(
        type=fault.type,
        message=f"line {line}, column {column}: {shown}: {fault.words} ({fault.type})",
        line=line,
        column=column,
    )
