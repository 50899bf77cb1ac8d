"""The guide to a team's server: its files are read by Treadle as they stand there."""

import re
from pathlib import Path

import pytest

from adapters.files.people_file import PeopleFile
from settings import load_settings
from tests.deploy.containers import ROOT

PAGE = (ROOT / "docs" / "how-to" / "team-server.md").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder with the files that the guide writes."""
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    for name, text in re.findall(r"cat > \S+/(\w+\.toml) <<'END'\n(.*?\n)END\n", PAGE, re.DOTALL):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_settings_of_the_guide_are_settings(folder: Path):
    settings = load_settings()
    assert settings.public_url == "https://treadle.example.org"
    assert settings.oidc.client_id == "treadle"
    assert settings.journal_url == "postgresql://treadle:<password>@db.example.org/treadle"


def test_the_people_of_the_guide_have_roles(folder: Path):
    directory = PeopleFile(folder / "people.toml").read()
    assert directory
    assert {"anna@example.org", "ben@example.org"} <= directory.users.keys()


def test_each_unit_that_the_guide_starts_is_there():
    shipped = {file.stem for file in (ROOT / "deploy" / "systemd").glob("*.service")}
    written = set(re.findall(r"/etc/systemd/system/(treadle-\w+)\.service`", PAGE))
    started = {
        unit for units in re.findall(r"systemctl enable --now (.+)", PAGE) for unit in units.split()
    }
    assert started == {"treadle-worker", "treadle-api", "treadle-serve"}
    assert started <= shipped | written
