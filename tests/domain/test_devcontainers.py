"""Devcontainers in recipes: when one is proposed, what of a description is refused, what its processes know."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.recipes.checkout_files import CheckoutFiles
from domain.recipes.containers import container_faults, image_environment
from domain.recipes.layers import is_input, layer_key
from domain.recipes.proposal import Proposal, propose_recipe
from domain.recipes.recipe import WorkspaceRecipe

DESCRIPTION = ".devcontainer/devcontainer.json"


def proposed_of(text: str, *more: str, has_podman: bool = True) -> Proposal:
    files = CheckoutFiles(
        frozenset({DESCRIPTION, *more}), {DESCRIPTION: text}, has_program=lambda _name: has_podman
    )
    return propose_recipe(files)


def test_work_goes_on_in_a_devcontainer_where_there_is_what_runs_it():
    text = '{"image": "debian", "postCreateCommand": "make"} // ours'
    assert proposed_of(text).recipe == WorkspaceRecipe(devcontainer=True, setup=("make",))
    without = proposed_of(text, has_podman=False)
    assert without.recipe == WorkspaceRecipe(setup=("make",))
    assert without.missing == (f"{DESCRIPTION}: its container needs podman on PATH",)


def test_services_of_a_compose_file_are_not_proposed_beside_a_devcontainer():
    found = proposed_of('{"image": "debian"}', "compose.yaml")
    assert found.recipe == WorkspaceRecipe(devcontainer=True)
    assert found.missing[0].startswith("compose.yaml: its services do not run in a devcontainer")
    refused = proposed_of('{"dockerComposeFile": "compose.yaml"}', "compose.yaml")
    assert "compose" in refused.recipe.services


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"dockerComposeFile": "compose.yaml"}', "several containers"),
        ('{"build": {"dockerfile": "Dockerfile", "context": "../.."}}', "outside"),
        ('{"build": {"dockerfile": "Dockerfile", "context": "/"}}', "outside"),
        ('{"build": {"dockerfile": "../../Dockerfile"}}', "outside"),
        ('{"dockerFile": "Dockerfile", "context": "${localEnv:HOME}"}', "outside"),
        ('{"build": {"dockerfile": "Dockerfile", "options": ["--volume=/:/h"]}}', "options"),
        ("[1]", "no JSON object"),
    ],
)
def test_no_container_is_made_of_what_reaches_out_of_the_repository(text: str, why: str):
    assert any(why in fault for fault in container_faults(text, DESCRIPTION))
    assert not proposed_of(text).recipe.devcontainer


@pytest.mark.parametrize(
    "text",
    [
        '{"image": "debian", "runArgs": ["--privileged"], "initializeCommand": "x"}',
        '{"build": {"dockerfile": "Dockerfile", "context": ".."}}',
        '{"build": {"dockerfile": "../Dockerfile"}, "features": {"a/b": {}}}',
    ],
)
def test_what_only_counts_for_running_stops_no_image(text: str):
    assert container_faults(text, DESCRIPTION) == ()


def test_an_image_has_its_own_variables_and_those_of_its_descriptions():
    metadata = json.dumps(
        [
            {"containerEnv": {"A": "1", "HOME": "/x"}},
            {"remoteEnv": {"PATH": "/a:${containerEnv:PATH}", "W": "${containerWorkspaceFolder}"}},
        ]
    )
    found = image_environment(("PATH=/bin", "B=x=y"), metadata, "/workspaces/app")
    assert found == {"PATH": "/a:/bin", "B": "x=y", "A": "1", "W": "/workspaces/app"}


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_of_an_image_stops_its_use(variable: str, metadata: str):
    assert "HOME" not in image_environment((variable,), metadata, "/w")


def test_a_layer_depends_on_the_description_of_its_container():
    recipe = WorkspaceRecipe(devcontainer=True)
    assert recipe.makes_layer
    assert is_input(".devcontainer/any/file", recipe)
    assert not is_input(".devcontainer/any/file", WorkspaceRecipe(setup=("x",)))
    plain, own = (layer_key(one, {}, "", "") for one in (WorkspaceRecipe(), recipe))
    assert plain != own
