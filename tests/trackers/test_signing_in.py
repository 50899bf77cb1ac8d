"""Where a tracker's token comes from: by itself, else that of its forge, else the usual variable."""

from pathlib import Path

import pytest
from joserfc.jwk import RSAKey

from adapters.forge.forges import tokens_of
from adapters.forge.tokens import CliToken
from adapters.trackers.github import GitHubIssues
from composition.trackers import signed_in
from domain.forges.issues import IssueId
from domain.forges.projects import ForgeKind
from settings import Settings
from settings.trackers import TrackerTable
from tests.forge.double import TOKEN, forge_double
from tests.forge.routing import Answered
from tests.forge.test_sign_in import app_of
from tests.trackers.test_settings import GOOD

OWN = {"host": "git.example.org", "kind": "gitlab"}
LAB = {**GOOD, "kind": "gitlab", "host": "git.example.org"}


NONE = "`token_env` of the tracker work"


def found(table: dict[str, object], **settings: object) -> tuple[str, str]:
    made = Settings.model_validate(settings)
    root, tokens = signed_in(TrackerTable.model_validate(table), made, lambda _: None)
    return root, tokens.name


@pytest.mark.parametrize(
    ("table", "settings", "name"),
    [
        (GOOD, {}, "GITHUB_TOKEN"),
        (GOOD, {"forge_token_env": "OTHER"}, "OTHER"),
        ({**GOOD, "token_env": "MINE"}, {}, "MINE"),
        (LAB, {"forges": [{**OWN, "token_env": "LAB"}]}, "LAB"),
        (
            LAB,
            {"forges": [{**OWN, "host": "other.example.org", "token_env": "LAB"}]},
            NONE,
        ),
        (LAB, {"forges": [{**OWN, "kind": "gitea", "token_env": "LAB"}]}, NONE),
    ],
)
def test_the_nearest_token_is_used(
    table: dict[str, object], settings: dict[str, object], name: str
) -> None:
    assert found(table, **settings)[1] == name


def test_a_forge_says_where_its_api_is_and_that_its_program_is_logged_in() -> None:
    forge = {**OWN, "cli": "glab", "api_url": "https://api.example.org/v4"}
    assert found(LAB, forges=[forge]) == ("https://api.example.org/v4", "`glab`")
    made = Settings.model_validate({"forges": [forge]})
    _, tokens = signed_in(TrackerTable.model_validate(LAB), made, lambda _: None)
    assert isinstance(tokens, CliToken)


def test_the_app_of_its_forge_is_used() -> None:
    app = {"app_id": "1", "installation_id": 2, "private_key_file": "/nowhere"}
    forge = {"host": "github.com", "kind": "github", **app}
    assert found(GOOD, forges=[forge])[1] == "the GitHub App 1"
    assert found({**GOOD, "token_env": "MINE"}, forges=[forge])[1] == "MINE"


async def test_an_app_comments_once_with_the_token_of_its_installation(tmp_path: Path) -> None:
    file, learned = tmp_path / "app.pem", dict[str, str]()
    file.write_bytes(RSAKey.generate_key(2048).as_pem(private=True))
    file.chmod(0o600)
    with forge_double(ForgeKind.GITHUB) as double:
        double.installs = lambda _asked, _installation: Answered(201, {"token": TOKEN})
        issue = double.open_issue(double.path, "links")
        tokens = tokens_of(app_of(double, file), {}, learned.update)
        tracker = GitHubIssues(double.path, double.url, tokens)
        ref = IssueId(tracker="github", id=str(issue.id), key=f"{double.path}#{issue.number}")
        one = await tracker.comment(ref, "hello", "key")
        assert await tracker.comment(ref, "hello", "key") == one
        assert not any(line.startswith("GET /user") for line in double.requests)
    assert [said.body.partition("\n")[0] for said in issue.comments] == ["hello"]
    assert list(learned.values()) == [TOKEN]
