"""Repositories beside a thread's own are set up by their own recipes."""

import pytest

from adapters.git.several.workspaces import SeveralWorkspaces
from adapters.git.workspaces import GitWorkspaces
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import User, WorkspaceRecipe
from domain.verification.checkouts import Recipe
from tests.adapters.recipe_checkouts import Recipes, means_of
from tests.adapters.several_lab import SeveralLab
from tests.adapters.task_specs import commit_of


@pytest.fixture
def port(lab: SeveralLab) -> SeveralWorkspaces:
    """The port, with a recipe for `api`."""
    recipes = Recipes()
    recipes.recipe = WorkspaceRecipe(
        setup=("mkdir made && pwd > made/in",),
        linked=("data",),
        environment={"NAME": "api"},
    )
    (lab.api / ".gitignore").write_text("made/\ndata/\n")
    lab.git(lab.api, "add", ".gitignore")
    lab.git(lab.api, "commit", "--quiet", "--message=ignore")
    (lab.api / "data").mkdir()
    (lab.api / "data" / "large").touch()
    making = means_of(lab.spawner, recipes)
    one = GitWorkspaces(lab.spawner, lab.data_dir, making=making)
    return SeveralWorkspaces(one, lab.spawner, lab.data_dir)


@pytest.fixture
def spec(lab: SeveralLab, port: SeveralWorkspaces) -> WorkspaceSpec:
    spec = lab.spec("task-1")
    return spec.model_copy(
        update={"beside": tuple(b.model_copy(update={"recipe": "api"}) for b in spec.beside)}
    )


async def test_only_theirs_are_and_their_checkouts_as_well(
    port: SeveralWorkspaces, spec: WorkspaceSpec
):
    folder = await port.prepare(spec)
    api = folder.with_name("api")
    assert (api / "made" / "in").exists()
    assert not (folder / "made").exists()

    (folder / "app").write_text("new\n")
    (api / "made" / "in").write_text("an agent's\n")
    snapshot = await port.commit(spec, commit_of("turn-1"))
    assert snapshot.files == ("app",)

    checkout = await port.checkouts.open(spec, snapshot.commit, Recipe())
    [beside] = checkout.beside
    assert "an agent's" not in (beside.directory / "made" / "in").read_text()


async def test_processes_see_what_their_links_lead_to_and_have_the_variables_of_their_own_recipe(
    lab: SeveralLab, port: SeveralWorkspaces, spec: WorkspaceSpec
):
    folder = await port.prepare(spec)
    assert (folder.with_name("api") / "data" / "large").resolve() == lab.api / "data" / "large"

    around = await port.environments.of(spec, User.AGENT)

    assert around.reads == (lab.api / "data",)
    assert "NAME" not in around.variables
