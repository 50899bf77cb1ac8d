"""Where templates lie: one folder of them each, in the repository, at the user's, among ours."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adapters.files.frontmatter import MAX_BYTES
from adapters.files.safe_open import (
    PathProblem,
    PathRefusedError,
    list_folders,
    safe_create,
    safe_read,
    safe_stat,
)
from adapters.files.template_text import BadTemplateError, read_template
from domain.core.errors import InvalidError, RepositoryError, TemplateExistsError
from domain.core.ids import is_name
from domain.core.remote_repositories import is_remote
from domain.plans.templates.template import PlanTemplate, TemplateSource
from domain.plans.templates.views import TemplateProblem

FILE = "TEMPLATE.md"
FOLDERS = (".treadle/plan-templates", ".flowgentic/plan-templates")
"""Where templates lie in a repository, and the same below the user's home."""

MAX_FOLDERS = 200


@dataclass(frozen=True)
class Scope:
    """A folder of templates below `root` and whose they are; nothing outside `root` is read."""

    source: TemplateSource
    root: Path
    folder: str

    @property
    def path(self) -> str:
        """The whole path of the folder."""
        return str(self.root / self.folder)

    def names(self) -> tuple[list[str], int]:
        """Return the names of the first 200 templates, sound or not, and how many folders there are.

        Raises:
            BadTemplateError: The folder can't be looked at.
        """
        try:
            names = list_folders(self.root, self.folder)
        except PathRefusedError as error:
            raise _unreadable(error) from error
        return [name for name in names[:MAX_FOLDERS] if self._is_there(name)], len(names)

    def has(self, name: str) -> bool:
        """Tell whether there is a template of a name, be it a broken one.

        A folder that can't be looked at has none: it is listed, and harms no other.
        """
        try:
            names = list_folders(self.root, self.folder)
        except PathRefusedError:
            return False
        return name in names and self._is_there(name)

    def _is_there(self, name: str) -> bool:
        try:
            safe_stat(self.root, self.file_of(name))
        except PathRefusedError as error:
            return error.problem is not PathProblem.MISSING
        return True

    def file_of(self, name: str) -> str:
        """Return the path of a template's file, below the root."""
        return f"{self.folder}/{name}/{FILE}"

    def create(self, name: str, text: str) -> None:
        """Write a template that is not there yet.

        Raises:
            InvalidError: It can't have that name, or its file can't be written there.
            TemplateExistsError: There is one.
        """
        if self.source is TemplateSource.REPO and not _is_checkout(self.root):
            raise RepositoryError(f"{self.root} is in no git repository: call it in one")
        if not is_name(name):
            raise InvalidError(
                f"{name!r} can name no template: use lowercase letters, digits, dashes"
            )
        try:
            safe_create(self.root, self.file_of(name), text.encode())
        except PathRefusedError as error:
            kind = TemplateExistsError if error.problem is PathProblem.TAKEN else InvalidError
            raise kind(f"the template can't be written: {error}") from error

    def read(self, name: str) -> tuple[PlanTemplate, bytes]:
        """Return a template and its file's content, read once.

        Raises:
            BadTemplateError: It can't be used; says why.
        """
        if not is_name(name):
            words = "its folder's name must be lowercase letters, digits and dashes"
            raise BadTemplateError(TemplateProblem(type="bad_id", message=words))
        try:
            raw = safe_read(self.root, self.file_of(name), MAX_BYTES)
        except PathRefusedError as error:
            raise _unreadable(error) from error
        known = {
            "source": self.source,
            "path": str(self.root / self.file_of(name)),
            "content_hash": hashlib.sha256(raw).hexdigest(),
        }
        return read_template(raw, name).model_copy(update=known), raw


def scopes_of_repository(repository: str) -> Iterator[Scope]:
    """Yield the folders of a repository, by any folder in it; fails as `top_of`."""
    top = top_of(repository)
    for folder in FOLDERS:
        yield Scope(TemplateSource.REPO, top, folder)


def top_of(repository: str) -> Path:
    """Return the top folder of a repository, by the whole path of any folder in it.

    Raises:
        RepositoryError: There is no such folder, or it is a URL.
    """
    if is_remote(repository):
        raise RepositoryError(
            f"{repository[:80]!r} is a URL, and this needs files on this host: give the path of a checkout"
        )
    try:
        path = Path(repository)
        is_folder = path.is_absolute() and path.is_dir()
        top = top_folder(path)
    except (OSError, ValueError, RuntimeError):  # too long, with a NUL, links in a circle
        is_folder, top = False, Path()
    if not is_folder:
        raise RepositoryError(
            f"{repository[:80]!r} is no folder that can be read: give the whole path of a repository"
        )
    return top


def top_folder(path: Path) -> Path:
    """Return the top folder of the checkout that a folder is in; the folder itself if in none."""
    whole = path.resolve()
    return next((each for each in (whole, *whole.parents) if _is_checkout(each)), whole)


def _is_checkout(folder: Path) -> bool:
    git = folder / ".git"
    return git.is_file() or (git / "HEAD").is_file()


def _unreadable(error: PathRefusedError) -> BadTemplateError:
    return BadTemplateError(TemplateProblem(type="unreadable", message=str(error)))
