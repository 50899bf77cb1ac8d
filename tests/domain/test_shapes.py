"""Sparse checkouts of recipes: the same files as git's cone mode has; and what recipes say of checkouts."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.recipe_text import read_recipe, recipe_text
from domain.recipes.errors import InvalidRecipeError
from domain.recipes.layers import layer_key
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.shape import CheckoutShape, cone_patterns, is_in_cone
from tests.hypothesis_profiles import effort

PARTS = st.lists(st.sampled_from(["a", "b", "ab", "x*", "[y]", "z z"]), min_size=1, max_size=3)
FOLDERS = st.lists(PARTS.map("/".join), min_size=1, max_size=4)
FILES = st.lists(PARTS.map(lambda parts: "/".join((*parts, "file"))), max_size=8)


def checked_out(top: Path, files: set[str], folders: list[str]) -> set[str]:
    """Return which of these files git has in a sparse checkout by our patterns."""
    git = ["git", "-C", str(top), "-c", "core.sparseCheckout=true"]
    git += ["-c", "core.sparseCheckoutCone=true"]
    blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    entries = "".join(f"100644 {blob}\t{name}\0" for name in sorted(files))

    def run(*arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [*git, *arguments], input=given, capture_output=True, check=True, text=True
        )
        assert not done.stderr, done.stderr  # patterns that are no cone are told there
        return done.stdout

    run("init", "--quiet", "--initial-branch=main")
    run("hash-object", "-w", "--stdin")
    run("update-index", "-z", "--index-info", given=entries)
    tree = run("write-tree").strip()
    (top / ".git" / "info" / "sparse-checkout").write_text(cone_patterns(folders))
    run("read-tree", "--reset", "-u", tree)
    tagged = run("ls-files", "-z", "-t").split("\0")
    return {entry[2:] for entry in tagged if entry.startswith("H")}


@effort(25)
@given(FILES, FOLDERS)
def test_a_sparse_checkout_has_the_files_that_gits_cone_mode_has(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], folders: list[str]
) -> None:
    files = {"top", *names}
    found = checked_out(tmp_path_factory.mktemp("cone"), files, folders)
    assert found == {name for name in files if is_in_cone(name, folders)}


@given(PARTS, FOLDERS)
def test_how_a_folder_is_spelled_makes_no_difference(parts: list[str], folders: list[str]) -> None:
    plain, odd = "/".join(parts), f"/./{'//'.join(parts)}/"
    assert cone_patterns([plain, *folders]) == cone_patterns([*folders, odd, plain])
    assert is_in_cone(f"{plain}/file", [odd])


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("", CheckoutShape()),
        ("submodules = false\nlfs = false", CheckoutShape()),
        ("submodules = true", CheckoutShape(submodules=True)),
        ('submodules = "recursive"', CheckoutShape(submodules=True, is_recursive=True)),
        ('lfs = true\nsparse = ["web/"]', CheckoutShape(lfs=True, sparse=("web/",))),
    ],
)
def test_what_a_recipe_says_is_read_and_written(text: str, shape: CheckoutShape) -> None:
    recipe = read_recipe(text.encode(), "workspace.toml")
    assert recipe.shape == shape
    assert recipe.shape.is_plain == (shape == CheckoutShape())
    assert read_recipe(recipe_text(recipe).encode(), "workspace.toml") == recipe
    assert WorkspaceRecipe.model_validate_json(recipe.model_dump_json()) == recipe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('submodules = "all"', r"submodules: give true, false or 'recursive' \(bad_value\)"),
        ("submodules = 1", r"submodules: give true, false or 'recursive' \(bad_value\)"),
        ('lfs = "yes"', r"lfs: .*wrong_type"),
        ('sparse = "web"', r"sparse: .*wrong_type"),
        ('sparse = ["/"]', r"sparse\.0: it is no folder.*bad_path"),
        ('sparse = ["web", "."]', r"sparse\.1: it is no folder.*bad_path"),
        ('sparse = ["../web"]', r"sparse\.0: .*bad_path"),
        ('sparse = ["!web"]', r"sparse\.0: .*bad_path"),
        ('sparse = ["a\\nb"]', r"sparse\.0: .*bad_path"),
    ],
)
def test_what_a_recipe_must_not_say_is_told(text: str, words: str) -> None:
    with pytest.raises(InvalidRecipeError, match=words):
        read_recipe(text.encode(), "workspace.toml")


def test_each_shape_has_a_layer_of_its_own() -> None:
    shapes: list[dict[str, object]] = [
        {},
        {"submodules": True},
        {"submodules": "recursive"},
        {"lfs": True},
        {"sparse": ("a",)},
        {"sparse": ("a", "b")},
    ]
    recipes = (WorkspaceRecipe.model_validate(said) for said in shapes)
    assert len({layer_key(recipe, {}, "", "Linux") for recipe in recipes}) == len(shapes)


def test_git_lfs_is_told_before_a_recipe_is_trusted() -> None:
    assert WorkspaceRecipe(lfs=True).acts
    assert not WorkspaceRecipe(submodules=True, sparse=("a",)).acts
