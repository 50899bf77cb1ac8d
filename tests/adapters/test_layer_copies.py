"""Copies of layers made ahead: each is taken once, and none is left behind."""

from pathlib import Path

import pytest

from adapters.files.removal import remove_tree
from adapters.git.workspaces import GitWorkspaces
from adapters.setup import layer_copies
from tests.adapters.layer_lab import (
    TOOL,
    Recipes,
    found,
    means,
    recipes,
    repository,
    said,
    spec,
    workspaces,
)

__all__ = ["means", "recipes", "repository", "workspaces"]


async def test_a_workspace_gets_a_copy_that_was_made_ahead(
    workspaces: GitWorkspaces, repository: Path, branch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await workspaces.prepare(spec(repository))
    await workspaces.layers.copies.filled()
    with monkeypatch.context() as patched:
        patched.setattr(layer_copies, "copy_layer", _never)
        path = await workspaces.prepare(spec(repository, 2))
    assert said(path / TOOL) == str(path)
    await workspaces.layers.copies.filled()


async def _never(*_: object) -> None:
    raise OSError("nothing is copied now")


async def test_copies_that_a_killed_worker_left_and_those_of_no_layer_are_removed(
    workspaces: GitWorkspaces, repository: Path, branch: str, data_dir: Path
) -> None:
    await workspaces.prepare(spec(repository))
    await workspaces.layers.copies.filled()
    (kept,) = found(data_dir, "layer-copies/*/*")
    half = kept / ".00000000.half"
    gone = kept.parent / "no-such-layer" / "0"
    for left in (half, gone):
        left.mkdir(parents=True)
    await workspaces.layers.sweep()
    assert not half.exists()
    assert not gone.exists()
    assert sorted(each.name for each in kept.iterdir()) == ["0", "1", "2", "3"]


async def test_copies_of_a_layer_that_is_made_anew_are_of_the_new_one(
    workspaces: GitWorkspaces, repository: Path, branch: str, data_dir: Path, recipes: Recipes
) -> None:
    recipes.change(setup=('echo made >> "$COUNT"', 'mkdir deps && cp "$COUNT" deps/count'))
    await workspaces.prepare(spec(repository))
    await workspaces.layers.copies.filled()
    for layer in found(data_dir, "layers/*/*"):
        remove_tree(layer)
    path = await workspaces.prepare(spec(repository, 2))
    assert (path / "deps" / "count").read_text() == "made\nmade\n"
    await workspaces.layers.copies.filled()
