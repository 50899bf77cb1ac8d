"""Workspace recipes: what they may say, what a layer depends on, what is proposed for a repository."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.files.recipe_text import read_recipe, recipe_text
from domain.recipes.checkout_files import CheckoutFiles
from domain.recipes.faults import find_circle, find_recipe_faults
from domain.recipes.layers import is_input, layer_key
from domain.recipes.proposal import propose_recipe
from domain.recipes.recipe import FILE, WorkspaceRecipe

NODE = json.dumps({"devDependencies": {"vitest": "4"}})


def proposed(*tracked: str, has: tuple[str, ...] = (), ignored=(), **texts: str) -> WorkspaceRecipe:
    named = {name.replace("__", "/").replace("_", "."): text for name, text in texts.items()}
    files = CheckoutFiles(
        frozenset((*tracked, *named)), named, ignored, lambda program: program in has
    )
    recipe = propose_recipe(files).recipe
    assert not list(find_recipe_faults(recipe))
    return recipe


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"setup": [""]}, "bad_value"),
        ({"setup": ["a\0b"]}, "bad_value"),
        ({"setup": ["true"] * 51}, "too_many"),
        ({"copy": ["../x"]}, "bad_path"),
        ({"copy": ["!x"]}, "bad_path"),
        ({"link": [".git/config"]}, "bad_path"),
        ({"environment": {"PATH": "/x"}}, "bad_name"),
        ({"environment": {"TREADLE_X": "1"}}, "bad_name"),
        ({"environment": {"1": "1"}}, "bad_name"),
        ({"environment": {"A": "1"}, "secrets": {"A": {"keyring": "a"}}}, "conflict"),
        ({"secrets": {"A": {}}}, "missing_field"),
        ({"secrets": {"A": {"keyring": "a", "file": "b"}}}, "conflict"),
        ({"secrets": {"A": {"file": "b", "for": []}}}, "missing_field"),
        ({"secrets": {"A": {"file": "b", "for": ["person"]}}}, "bad_value"),
        ({"services": {"Db": {"command": "x"}}}, "bad_name"),
        ({"services": {"db": {"command": " "}}}, "bad_value"),
        ({"services": {"db": {"command": "x", "port": "A b"}}}, "unknown_port"),
        ({"services": {"db": {"command": "x", "depends_on": ["no"]}}}, "unknown_service"),
        ({"services": {"db": {"command": "x", "depends_on": ["db"]}}}, "dependency_cycle"),
        ({"services": {"db": {"command": "x", "health": "/"}}}, "missing_field"),
        ({"services": {"db": {"command": "x", "port": "p", "health": "ok"}}}, "bad_value"),
        ({"services": {"db": {"command": "x", "port": "p", "health": "/a#b"}}}, "bad_value"),
        ({"services": {"db": {"command": "x", "port": "p", "health": "/a b"}}}, "bad_value"),
        ({"services": {"db": {"command": "x", "cwd": "../x"}}}, "bad_path"),
        ({"services": {"db": {"command": "x", "cwd": "/x"}}}, "bad_path"),
        ({"services": {"db": {"command": "x", "environment": {"PATH": "/x"}}}}, "bad_name"),
        ({"services": {"db": {"command": "x", "environment": {"A": "\0"}}}}, "bad_value"),
        ({"services": {"db": {"command": "x", "for": []}}}, "missing_field"),
        ({"services": {"db": {"command": "x", "for": ["setup"]}}}, "bad_value"),
        (
            {"services": {"a": {"command": "x", "port": "p"}, "b": {"command": "x", "port": "p"}}},
            "conflict",
        ),
    ],
)
def test_what_a_recipe_must_not_say_has_a_name(said: dict[str, object], kind: str):
    assert kind in {
        fault.type for fault in find_recipe_faults(WorkspaceRecipe.model_validate(said))
    }


def test_an_empty_recipe_does_nothing_and_a_full_one_tells_all_that_it_does():
    assert WorkspaceRecipe().acts == ()
    full = WorkspaceRecipe.model_validate(
        {
            "setup": ["make a"],
            "copy": [".env"],
            "link": ["data"],
            "cleanup": ["make c"],
            "secrets": {"T": {"command": "op read t"}},
            "services": {"db": {"command": "db up"}},
        }
    )
    told = "\n".join(full.acts)
    for part in ("make a", ".env", "data", "make c", "op read t", "db up"):
        assert part in told


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=3)))
def test_a_circle_is_found_exactly_where_names_can_not_be_put_in_order(needs):
    left = {name: set(others) & set(needs) for name, others in needs.items()}
    while free := {name for name, others in left.items() if not others}:
        left = {n: others - free for n, others in left.items() if n not in free}
    circle = find_circle(needs)
    assert bool(circle) == bool(left)
    for one, other in pairwise(circle):
        assert other in needs[one]
    assert not circle or circle[0] == circle[-1]


def test_a_layer_is_another_one_when_what_makes_it_changes():
    recipe = WorkspaceRecipe(setup=("./scripts/install.sh --all",), inputs=("schema/*.sql",))
    inputs = {"uv.lock": "a"}
    key = layer_key(recipe, inputs, "", "Linux")
    others = [
        layer_key(recipe, {"uv.lock": "b"}, "", "Linux"),
        layer_key(recipe, inputs, "c", "Linux"),
        layer_key(recipe, inputs, "", "Darwin"),
        layer_key(recipe.model_copy(update={"setup": ("x",)}), inputs, "", "Linux"),
        layer_key(recipe.model_copy(update={"environment": {"A": "1"}}), inputs, "", "Linux"),
    ]
    assert len({key, *others}) == len(others) + 1
    assert layer_key(recipe.model_copy(update={"timeout": 1}), inputs, "", "Linux") == key


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("uv.lock", True),
        ("packages/api/package.json", True),
        ("a/b/c/d/package.json", False),
        ("scripts/install.sh", True),
        ("scripts/other.sh", False),
        ("schema/one.sql", True),
        ("requirements-dev.txt", True),
        ("src/main.py", False),
    ],
)
def test_manifests_named_scripts_and_inputs_count(path: str, counts: bool):
    recipe = WorkspaceRecipe(setup=("./scripts/install.sh --all",), inputs=("schema/*.sql",))
    assert is_input(path, recipe) == counts


def test_lock_files_say_who_installs():
    assert proposed("uv.lock", "pyproject.toml", has=("uv",)).setup == ("uv sync --frozen",)
    assert proposed("pnpm-lock.yaml", has=("pnpm",), package_json=NODE).setup == (
        "pnpm install --frozen-lockfile",
    )
    assert proposed("package-lock.json", has=("npm",), package_json=NODE).setup == ("npm ci",)


def test_without_the_locks_own_program_another_one_installs_and_that_is_said():
    files = CheckoutFiles(frozenset({"uv.lock", "setup.py"}), has_program=lambda _: False)
    found = propose_recipe(files)
    assert found.recipe.setup[0] == "python3 -m venv .venv"
    assert found.missing == ("uv.lock: uv is not on PATH, so pip installs without the lock",)


def test_python_gets_the_extra_or_the_group_of_its_tests():
    extra = '[project]\nname = "a"\n[project.optional-dependencies]\ntests = ["pytest"]\n'
    group = '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest"]\n'
    assert "--editable '.[tests]'" in proposed(pyproject_toml=extra).setup[-1]
    assert "--editable . --group dev" in proposed(pyproject_toml=group).setup[-1]
    bare = '[project]\nname = "a"\n'
    assert proposed("tests/test_a.py", pyproject_toml=bare).setup[-1].endswith("pytest")


EXTRAS = '[project]\nname = "a"\n[project.optional-dependencies]\n'
GROUPS = "[dependency-groups]\n"


@pytest.mark.parametrize(
    ("text", "installed"),
    [
        (EXTRAS + 'dev = ["ruff"]\ntests = ["pytest>=8"]', "'.[tests]'"),
        (EXTRAS + 'dev = ["a[tests]"]\ntests = ["pytest"]', "'.[dev]'"),
        (EXTRAS + 'docs = ["sphinx"]\nqa = ["pytest-cov"]', "'.[qa]'"),
        (EXTRAS + 'docs = ["sphinx"]', "."),
        (EXTRAS + '"a\'b" = ["pytest"]', "."),
        (GROUPS + 'dev = ["tox"]\ntests = ["pytest"]', "--group tests"),
        (GROUPS + 'dev = [{include-group = "tests"}]\ntests = ["pytest"]', "--group dev"),
        (GROUPS + 'dev = [{include-group = "dev"}]', "--group dev"),
    ],
)
def test_the_extra_or_group_is_the_one_that_has_pytest(text: str, installed: str):
    (*_, command) = proposed(pyproject_toml=text).setup
    assert command.endswith(f" {installed}")


def test_extras_of_a_setup_cfg_count():
    text = "[options.extras_require]\ntest =\n    pytest\n    %(x)s\n"
    recipe = proposed("setup.py", "tests/test_a.py", setup_cfg=text)
    assert recipe.setup[-1].endswith("--editable '.[test]'")


@pytest.mark.parametrize(
    ("file", "text", "installed"),
    [
        ("setup_py", "", "pytest"),
        ("tox_ini", "[testenv]\ndeps = mock >= 4", "'mock>=4' pytest"),
        ("tox_ini", "[testenv]\ndeps =\n  pytest\n  py39: old\n  {x}\n  a;b", "pytest"),
        ("tox_ini", "[testenv]\ndeps = -r ci/needs.txt", "--requirement ci/needs.txt pytest"),
        ("tox_ini", "[testenv]\ndeps = -r no.txt", "pytest"),
        ("tox_ini", "no ini", "pytest"),
        ("pytest_ini", "[pytest]\naddopts = -q --cov=a -n auto", "pytest pytest-cov pytest-xdist"),
        ("setup_cfg", "[tool:pytest]\nasyncio_mode = auto", "pytest pytest-asyncio"),
        ("pyproject_toml", "[tool.pytest.ini_options]\ntimeout = 9", "pytest pytest-timeout"),
        ("pyproject_toml", '[tool.pytest]\naddopts = ["--cov"]', "pytest pytest-cov"),
    ],
)
def test_without_those_tox_and_the_options_of_pytest_say_what_is_installed(
    file: str, text: str, installed: str
):
    recipe = proposed("setup.py", "src/a/test_a.py", "ci/needs.txt", **{file: text})
    assert recipe.setup[-1].endswith(f"--quiet {installed}")


def test_files_of_a_requirements_folder_count_with_those_that_they_include():
    recipe = proposed("setup.py", "requirements/tests.txt")
    assert is_input("requirements/base.txt", recipe)
    assert not proposed("setup.py", "requirements.txt").inputs


def test_vendored_modules_of_go_are_not_fetched():
    (built,) = proposed("go.mod", "vendor/modules.txt", has=("go",)).setup
    assert built.startswith("go test")
    assert proposed("go.mod", has=("go",)).setup == ("go mod download", built)


def test_what_other_tools_keep_goes_before_what_is_guessed():
    conductor = json.dumps({"scripts": {"setup": "make all", "run": "make run", "archive": "rm x"}})
    recipe = proposed("uv.lock", has=("uv",), conductor_json=conductor)
    assert (recipe.setup, recipe.cleanup) == (("make all",), ("rm x",))
    assert recipe.services["run"].command == "make run"
    included = CheckoutFiles(frozenset({".worktreeinclude"}), {".worktreeinclude": "# a\n.env\n"})
    assert propose_recipe(included).recipe.copied == (".env",)


def test_a_devcontainer_is_read_with_its_comments_and_all_forms_of_a_command():
    text = """{ // "postCreateCommand": "no"
      "onCreateCommand": {"a": "make a", "b": ["x", "y z"]},
      "postCreateCommand": "make c", /* last */
    }"""
    file = ".devcontainer/devcontainer.json"
    found = propose_recipe(CheckoutFiles(frozenset({file}), {file: text}))
    assert found.recipe.setup == ("make a", "x 'y z'", "make c")


def test_what_no_recipe_may_say_is_told_and_not_proposed():
    files = frozenset({".worktreeinclude", "Makefile"})
    texts = {".worktreeinclude": "../secrets\n", "Makefile": "setup:\n\ttrue\n"}
    proposal = propose_recipe(CheckoutFiles(files, texts))
    assert proposal.recipe == WorkspaceRecipe(setup=("make setup",))
    assert [line.split(":")[0] for line in proposal.missing] == [".worktreeinclude"]
    assert "bad_path" in proposal.missing[0]


@given(st.text(max_size=200))
def test_no_text_of_a_file_stops_a_proposal(text: str):
    names = (
        *("conductor.json", ".conductor/settings.toml", ".superset/config.json", "package.json"),
        *(".cursor/worktrees.json", ".devcontainer.json", "pyproject.toml", "Makefile"),
        *(".worktreeinclude", ".gitattributes", "setup.cfg", "tox.ini", "pytest.ini"),
        "tests/test_a.py",
    )
    proposal = propose_recipe(CheckoutFiles(frozenset(names), dict.fromkeys(names, text)))
    written = recipe_text(proposal.recipe, proposal.found)
    assert read_recipe(written.encode(), FILE) == proposal.recipe
