"""Where a tracker's token comes from: by itself, else that of its forge, else the usual variable."""

import pytest

from adapters.forge.tokens import CliToken
from settings import Settings
from tests.trackers.test_settings import GOOD
from tracker_settings import TrackerTable
from worker_trackers import signed_in

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


def test_an_app_comments_as_nobody_and_is_not_used() -> None:
    app = {"app_id": "1", "installation_id": 2, "private_key_file": "/nowhere"}
    forge = {"host": "github.com", "kind": "github", **app}
    assert found(GOOD, forges=[forge])[1] == "GITHUB_TOKEN"
