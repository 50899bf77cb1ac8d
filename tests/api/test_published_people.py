"""The people.toml of the API's machine is in the journal, where workers of all hosts read it."""

import pytest

from adapters.files.people_file import PeopleFile
from api.app import create_app
from settings import config_dir

PEOPLE = '[users.anna.roles]\n"*" = "admin"\n'


@pytest.fixture
async def app(settings, temporal, tmp_path):
    (tmp_path / "config").mkdir(exist_ok=True)
    PeopleFile(config_dir() / "people.toml").path.write_text(PEOPLE)
    app = create_app(settings, temporal)
    async with app.router.lifespan_context(app):
        yield app


async def test_it_is_there_before_the_api_answers(app):
    published = await app.state.journal.people.published.read()
    assert published.directory.knows("anna")


async def test_a_role_that_is_given_is_there_before_what_is_done_by_it(app, client):
    path = app.state.people.path
    path.write_text(PEOPLE + '[users.ben.roles]\n"*" = "author"\n')
    await client.post("/v1/threads/thread-none-1a2b3c/pause", json={})
    published = await app.state.journal.people.published.read()
    assert published.directory.knows("ben")


async def test_without_the_file_on_the_only_host_there_is_one_person(app, client):
    app.state.people.path.unlink()
    await client.post("/v1/threads/thread-none-1a2b3c/pause", json={})
    published = await app.state.journal.people.published.read()
    assert (published.directory, published.problem) == (None, "")
