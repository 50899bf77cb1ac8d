"""The one screen of `treadle up`: what was found here, without secrets, and short enough for a terminal."""

from rich.console import Console

from settings import Settings
from tests.treadle.test_engine import state
from treadle.found import found_here
from treadle.screen import summary


def test_the_screen_names_version_journal_agents_and_sandbox(settings: Settings):
    found = dict(found_here(settings))
    assert found.keys() == {"Version", "Journal", "Histories", "Agents", "Sandbox"}
    assert found["Journal"] == "SQLite, in the data folder"
    assert "scripted" in found["Agents"]


def test_the_password_of_a_database_is_not_shown(settings: Settings):
    url = "postgresql+psycopg://ann:s3cret@db.example.org:5433/treadle?sslmode=require"
    found = dict(found_here(settings.model_copy(update={"journal_url": url})))
    assert found["Journal"] == "postgresql at db.example.org/treadle"


def test_all_fits_on_a_small_terminal(settings: Settings):
    console = Console(width=80, height=24, file=None, record=True)
    with console.capture() as captured:
        console.print(summary(state(1), found_here(settings), "12 open, 3 waiting for you"))
    assert len(captured.get().splitlines()) <= 16
