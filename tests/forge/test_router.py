"""Which forge a project is on, and where a token may go."""

import pytest

from adapters.forge.forges import Forges
from domain.forges.errors import ForgeAccessError
from domain.forges.projects import ForgeKind, ForgeProject
from domain.forges.pull_requests import PullRequestDraft
from domain.forges.settings import ForgeOptions
from settings.forges import ForgeSettings
from tests.forge.adapters import forges_of
from tests.forge.double import TOKEN, Double

VARIABLES = {"GITHUB_TOKEN": TOKEN, "GITLAB_TOKEN": TOKEN, "CODEBERG_TOKEN": TOKEN}


def project_on(host: str) -> ForgeProject:
    return ForgeProject(host=host, owner="octo", name="work")


def known(variables: dict[str, str] = VARIABLES) -> Forges:
    return Forges(ForgeSettings().known_forges, variables, lambda _: None)


@pytest.mark.parametrize("host", ["github.com", "octo.ghe.com", "gitlab.com", "codeberg.org"])
def test_public_forges_are_known(host: str):
    assert known().obstacle(project_on(host)) == ""


@pytest.mark.parametrize(
    "host", ["github.com.example.invalid", "xghe.com", "a:443", "127.0.0.1:9", "xgitlab.com"]
)
async def test_a_token_goes_to_no_host_that_only_a_remote_names(host: str):
    draft = PullRequestDraft(project=project_on(host), head="h", base="main", title="t")

    assert "[[forges]]" in known().obstacle(project_on(host))
    with pytest.raises(ForgeAccessError, match="is no forge that is known"):
        await known().open_pull_request(draft)


async def test_another_port_of_a_known_host_gets_no_token(double: Double):
    other = project_on(f"127.0.0.1:{int(double.host.partition(':')[2]) + 1}")
    draft = PullRequestDraft(project=other, head="h", base="main", title="t")
    with pytest.raises(ForgeAccessError):
        await forges_of(double).open_pull_request(draft)

    assert double.requests == []


def test_a_forge_without_its_token_says_which_variable_is_empty():
    assert "no token in GITLAB_TOKEN" in known({}).obstacle(project_on("gitlab.com"))


@pytest.mark.parametrize(
    ("kind", "host", "root"),
    [
        (ForgeKind.GITHUB, "github.com", "https://api.github.com"),
        (ForgeKind.GITHUB, "octo.ghe.com", "https://api.octo.ghe.com"),
        (ForgeKind.GITHUB, "git.corp.example", "https://git.corp.example/api/v3"),
        (ForgeKind.GITLAB, "git.corp.example:8443", "https://git.corp.example:8443/api/v4"),
        (ForgeKind.GITEA, "codeberg.org", "https://codeberg.org/api/v1"),
    ],
)
def test_the_api_of_a_host_is_known_by_its_kind(kind: ForgeKind, host: str, root: str):
    assert ForgeOptions(host=host, kind=kind, token_env="T").root == root


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"token_env": "A", "cli": "gh"},
        {"app_id": "1"},
        {"token_env": "not a name"},
        {"token_env": "A", "api_url": "https://user@host/api"},
        {"token_env": "A", "host": "https://git.corp.example"},
    ],
)
def test_options_that_make_no_sense_are_refused(given: dict[str, str]):
    with pytest.raises(ValueError, match="validation error"):
        ForgeOptions.model_validate({"host": "git.corp.example", "kind": "github", **given})
