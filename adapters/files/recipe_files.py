"""Workspace recipes from files: the user's own for a repository, else the repository's."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from adapters.files.recipe_text import MAX_BYTES, read_recipe
from adapters.files.safe_open import (
    PathProblem,
    PathRefusedError,
    safe_create,
    safe_read,
    safe_write,
)
from adapters.files.template_scopes import top_of
from adapters.files.trusted_files import TrustedFiles
from domain.core.errors import NotShownError
from domain.core.ids import slug
from domain.recipes.errors import InvalidRecipeError, RecipeExistsError, RecipeNotTrustedError
from domain.recipes.ports import FoundRecipe, RecipeSource
from domain.recipes.recipe import FILE

_OWN = "workspaces"
_SHOWN = 8


@dataclass(frozen=True)
class _Place:
    source: RecipeSource
    root: Path
    file: str

    @property
    def path(self) -> str:
        return str(self.root / self.file)


class RecipeFiles:
    """Implements `Recipes`.

    The user's own recipe for a repository is `workspaces/NAME.toml` in the configuration folder, and
    goes before the repository's `.treadle/workspace.toml`.
    """

    def __init__(self, config_dir: Path | None, trusted: TrustedFiles | None = None) -> None:
        self._config_dir = config_dir
        self._trusted = trusted

    def recipe(self, repository: str) -> FoundRecipe | None:
        """Return the recipe that a thread on a repository is opened with, None where there is none.

        Raises:
            InvalidRecipeError: Its file can't be used; the message says where and why.
            RecipeNotTrustedError: It would act, and nobody has let it.
        """
        found = self.found(repository)
        if found is not None and found.recipe.acts and not found.is_trusted:
            acts = "; ".join(found.recipe.acts[:_SHOWN])
            raise RecipeNotTrustedError(
                f"{found.path} sets up workspaces, and nobody has trusted it as it is now: {acts}. "
                "Look at it, then trust it: `treadle workspace trust`"
            )
        return found

    def found(self, repository: str) -> FoundRecipe | None:
        """Return a repository's recipe, trusted or not; fails as `recipe` where it can't be used."""
        for place in self._places(repository):
            raw = _read(place)
            if raw is None:
                continue
            digest = hashlib.sha256(raw).hexdigest()
            recipe = read_recipe(raw, place.path)
            return FoundRecipe(
                recipe=recipe,
                source=place.source,
                path=place.path,
                content_hash=digest,
                acts=recipe.acts,
                is_trusted=self._trusted is not None and self._trusted.has(place.path, digest),
            )
        return None

    def text(self, repository: str) -> str:
        """Return the file as it is written, empty where there is none."""
        texts = (_read(place) for place in self._places(repository))
        return next((raw.decode(errors="replace") for raw in texts if raw is not None), "")

    def trust(self, repository: str, content_hash: str, by: str) -> FoundRecipe:
        """Let a recipe act that a person has looked at; once more is harmless. Returns it.

        Raises:
            InvalidRecipeError: There is none, or it can't be used.
            NotShownError: It is not what the person was shown.
        """
        found = self.found(repository)
        if found is None:
            raise InvalidRecipeError(f"{repository} has no {FILE}: write one, then trust it")
        if found.content_hash != content_hash:
            raise NotShownError(f"{found.path} has changed since it was shown")
        if self._trusted is not None:
            self._trusted.add(found.path, found.content_hash, by)
        return found.model_copy(update={"is_trusted": True})

    def keep(self, repository: str, text: str, by: str, source: RecipeSource) -> FoundRecipe:
        """Write a recipe that a person has looked at, and trust it; the user's own is replaced.

        Raises:
            InvalidRecipeError: It can't be used, or can't be written there.
            RecipeExistsError: The repository has one.
        """
        place = next(each for each in self._places(repository) if each.source is source)
        raw = text.encode()
        recipe = read_recipe(raw, place.path)
        try:
            if source is RecipeSource.REPO:
                safe_create(place.root, place.file, raw)
            else:
                (place.root / _OWN).mkdir(parents=True, exist_ok=True, mode=0o700)
                safe_write(place.root, place.file, raw)
        except PathRefusedError as error:
            kind = RecipeExistsError if error.problem is PathProblem.TAKEN else InvalidRecipeError
            raise kind(f"{place.path} can't be written: {error}") from error
        digest = hashlib.sha256(raw).hexdigest()
        if self._trusted is not None:
            self._trusted.add(place.path, digest, by)
        return FoundRecipe(
            recipe=recipe,
            source=source,
            path=place.path,
            content_hash=digest,
            acts=recipe.acts,
            is_trusted=True,
        )

    def _places(self, repository: str) -> list[_Place]:
        top = top_of(repository)
        own: list[_Place] = []
        if self._config_dir is not None:
            digest = hashlib.sha256(str(top).encode("utf-8", "surrogateescape")).hexdigest()[:8]
            name = f"{_OWN}/{slug(top.name)}-{digest}.toml"
            own.append(_Place(RecipeSource.USER, self._config_dir, name))
        return [*own, _Place(RecipeSource.REPO, top, FILE)]


def _read(place: _Place) -> bytes | None:
    """Return a file's content, None where there is none.

    Raises:
        InvalidRecipeError: It is there and can't be read: a link, a folder, too large.
    """
    try:
        return safe_read(place.root, place.file, MAX_BYTES)
    except PathRefusedError as error:
        if error.problem is PathProblem.MISSING:
            return None
        raise InvalidRecipeError(f"{place.path} can't be read: {error}") from error
