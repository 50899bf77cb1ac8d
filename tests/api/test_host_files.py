"""An API on a machine without work of its own: what it shows of files is from the host that has them."""

import json

import pytest
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from activities.host_files import HostFileAnswers
from adapters.agent_programs.host import Host
from adapters.files.recipe_files import RecipeFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.files.trusted_metadata import TrustedMetadata
from adapters.host import host_id
from adapters.host_files import FilesOfHost
from domain.core.errors import RepositoryError
from domain.core.ids import host_queue
from domain.hosts.file_calls import FileCall, FileSubject
from domain.hosts.host import HostFacts, HostState

RECIPE = 'setup = ["make deps"]\n'


class OtherHost:
    """A host with data and configuration of its own."""

    def __init__(self, folder, name):
        self.name, self.id = name, f"{name}-{folder.name[-8:]}".replace("_", "-")
        self.config, self.data = folder / name / "config", folder / name / "data"
        for each in (self.config, self.data):
            each.mkdir(parents=True)
        host = Host(self.data, folder / "programs", folder / name, lambda _: {})
        self.files = FilesOfHost(self.config, host)

    def has_template(self, name):
        folder = self.config / "plan-templates" / name
        folder.mkdir(parents=True)
        (folder / "TEMPLATE.md").write_text(f"---\nname: {name}\n---\n")

    async def joins(self, journal):
        await journal.hosts.register(HostFacts(host=self.id, name=self.name))
        await journal.presence.beat(self.id)

    def working(self, temporal):
        return Worker(
            temporal,
            task_queue=host_queue(self.id),
            activities=[HostFileAnswers(self.files).answer_file_call],
            workflow_runner=UnsandboxedWorkflowRunner(),
        )


@pytest.fixture
async def build(app, temporal, tmp_path):
    """The one host, which is another machine than the API's."""
    host = OtherHost(tmp_path, "build-1")
    await host.joins(app.state.journal)
    async with host.working(temporal):
        yield host


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


async def asked(client, path, **query):
    answer = await client.get(path, params={k: str(v) for k, v in query.items()})
    return answer.status_code, answer.json()


async def test_templates_are_those_of_the_host(client, build):
    build.has_template("careful")
    _, listed = await asked(client, "/v1/templates")
    assert "user:careful" in [each["choice"] for each in listed["templates"]]
    status, shown = await asked(client, "/v1/templates/careful")
    assert (status, shown["found"]["path"].startswith(str(build.config))) == (200, True)
    status, unknown = await asked(client, "/v1/templates/careless")
    assert (status, unknown["type"]) == (422, "treadle:unknown_template")


async def test_a_recipe_is_trusted_on_the_host_that_has_it(client, build, repository, settings):
    (repository / ".treadle").mkdir()
    (repository / ".treadle" / "workspace.toml").write_text(RECIPE)
    _, shown = await asked(client, "/v1/recipes", repository=repository)
    assert not shown["found"]["is_trusted"]
    body = {"repository": str(repository), "content_hash": shown["found"]["content_hash"]}
    assert (await client.post("/v1/recipes/trust", json=body)).json()["is_trusted"]
    there = RecipeFiles(build.config, TrustedFiles(build.data, "recipe"))
    assert there.found(str(repository)).is_trusted
    assert not (settings.data_dir / "trust").exists()
    refused = await client.post("/v1/recipes/trust", json={**body, "content_hash": "0" * 64})
    assert (refused.status_code, refused.json()["type"]) == (409, "treadle:not_what_was_shown")


async def test_an_agent_is_installed_or_not_where_it_would_run(client, build):
    _, listed = await asked(client, "/v1/agents")
    scripted = next(each for each in listed["agents"] if each["name"] == "scripted")
    assert scripted["is_installed"] is True
    status, details = await asked(client, "/v1/agents/scripted", host="build-1")
    assert (status, details["status"]["is_installed"]) == (200, True)


async def test_metadata_that_a_host_was_refused_for_is_trusted_there(client, build, repository):
    trusted = TrustedMetadata(build.data)
    trusted.trust(repository, {"a": "1"})
    assert trusted.compare(repository, {"a": "2"}) is not None
    _, shown = await asked(client, "/v1/repositories/trust", repository=repository)
    body = {"repository": str(repository), "content_hash": shown["content_hash"]}
    assert (await client.post("/v1/repositories/trust", json=body)).status_code == 200
    assert trusted.compare(repository, {"a": "2"}) is None


async def test_the_host_that_is_named_is_asked_and_no_other(
    app, client, temporal, tmp_path, *, settings, build
):
    settings.data_dir.mkdir(exist_ok=True)
    host_id(settings.data_dir)  # the API's machine is a host, too
    other = OtherHost(tmp_path, "build-2")
    other.has_template("of-two")
    await other.joins(app.state.journal)
    async with other.working(temporal):
        _, own = await asked(client, "/v1/templates")
        _, named = await asked(client, "/v1/templates", host="build-2")
    assert "user:of-two" not in json.dumps(own)
    assert "user:of-two" in json.dumps(named)
    status, unknown = await asked(client, "/v1/templates", host="build-9")
    assert (status, unknown["type"]) == (404, "treadle:unknown_host")


async def test_a_host_that_does_not_answer_is_named(app, client, tmp_path):
    host = OtherHost(tmp_path, "build-1")
    await host.joins(app.state.journal)
    await app.state.journal.presence.end(host.id)
    status, refused = await asked(client, "/v1/templates")
    assert (status, refused["type"]) == (503, "treadle:unavailable")
    assert "build-1" in refused["detail"]
    await app.state.journal.hosts.decide("build-1", HostState.LOST)
    assert (await asked(client, "/v1/templates", host="build-1"))[0] == 503


async def test_another_repository_at_the_same_path_is_not_shown(build, tmp_path, repository):
    """Where the path is a link on the host to what the person may not see."""
    link = tmp_path / "link"
    link.symlink_to(repository)
    call = FileCall(
        subject=FileSubject.RECIPE, repository=str(link), project=str(link), has_repository=True
    )
    with pytest.raises(RepositoryError, match="another repository"):
        build.files.answer(call)
    build.files.answer(call.model_copy(update={"project": str(repository)}))


async def test_a_repository_that_no_host_has_is_refused_with_what_each_said(
    client, build, tmp_path
):
    gone = tmp_path / "gone"
    status, refused = await asked(client, "/v1/templates", repository=gone)
    assert (status, refused["type"]) == (422, "treadle:unusable_repository")
