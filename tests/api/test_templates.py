"""Templates by REST: listed and shown with what they do, trusted by hash, made new."""

import pytest

from adapters.files.template_files import TemplateFiles
from api.threads.opening import FilesHere

STEPS = "verification: {steps: [{type: command, command: make test}]}\n"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    return tmp_path / "repo"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def put(repository):
    def write(name, text):
        file = repository / ".treadle/plan-templates" / name / "TEMPLATE.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    return write


def front(extra=""):
    return f"---\nname: Default\n{extra}---\n"


async def test_templates_are_listed_with_their_scope_and_broken_ones_with_their_place(
    down_client, repository, put
):
    put("default", front(STEPS))
    put("broken", front("gate: perhaps\n"))

    answer = await down_client.get("/v1/templates", params={"repository": str(repository)})

    found = {each["choice"]: each for each in answer.json()["templates"]}
    assert list(found) == [
        "repo:broken",
        "repo:default",
        "builtin:default",
        "builtin:hotfix",
        "builtin:spike",
    ]
    problem = found["repo:broken"]["problem"]
    assert (problem["type"], problem["line"], problem["column"]) == ("bad_value", 3, 1)
    assert found["repo:default"]["label"] == "Default (Repo)"
    assert [c for c, each in found.items() if each["is_default"]] == ["repo:default"]
    assert [c for c, each in found.items() if not each["is_trusted"]] == ["repo:default"]
    assert found["repo:default"]["acts"] == ["runs: make test"]


async def test_without_a_repository_its_templates_are_not_listed(down_client):
    found = (await down_client.get("/v1/templates")).json()["templates"]
    assert {each["source"] for each in found} == {"builtin"}


async def test_a_template_is_shown_with_what_it_says_and_its_text(down_client, repository, put):
    file = put("default", front(STEPS))
    where = {"repository": str(repository)}

    shown = (await down_client.get("/v1/templates/default", params=where)).json()

    assert shown["template"]["verification"]["steps"][0]["command"] == "make test"
    assert shown["text"] == file.read_text()
    scoped = (await down_client.get("/v1/templates/builtin:default", params=where)).json()
    assert scoped["found"]["source"] == "builtin"


async def test_a_broken_template_is_shown_with_its_problem(down_client, repository, put):
    put("broken", "prose")
    where = {"repository": str(repository)}
    shown = (await down_client.get("/v1/templates/broken", params=where)).json()
    assert shown["template"] is None
    assert "frontmatter must be a mapping" in shown["found"]["problem"]["message"]


@pytest.mark.parametrize("name", ["nope", "..", "moon:default"])
async def test_an_unknown_template_is_refused_with_the_known_ones(down_client, name):
    answer = await down_client.get(f"/v1/templates/{name.replace('.', '%2e')}")
    assert answer.status_code == 422
    assert answer.json()["type"] == "treadle:unknown_template"
    assert "default, hotfix, spike" in answer.json()["detail"]


async def test_a_folder_that_is_not_there_is_refused(down_client):
    answer = await down_client.get("/v1/templates", params={"repository": "/nowhere"})
    assert (answer.status_code, answer.json()["type"]) == (422, "treadle:unusable_repository")


async def test_trust_holds_for_what_was_shown_alone(down_client, repository, put):
    file = put("default", front(STEPS))
    where = {"repository": str(repository)}
    shown = (await down_client.get("/v1/templates/default", params=where)).json()["found"]
    body = {**where, "template": "default", "content_hash": shown["content_hash"]}

    file.write_text(front(STEPS.replace("test", "evil")))
    answer = await down_client.post("/v1/templates/trust", json=body)
    assert (answer.status_code, answer.json()["type"]) == (409, "treadle:not_what_was_shown")

    file.write_text(front(STEPS))
    for _ in range(2):
        answer = await down_client.post("/v1/templates/trust", json=body)
        assert (answer.status_code, answer.json()["is_trusted"]) == (200, True)


async def test_a_new_template_is_whole_does_nothing_by_itself_and_replaces_none(
    down_client, repository
):
    body = {"name": "slow-lane", "repository": str(repository)}

    made = await down_client.post("/v1/templates", json=body)

    assert (made.status_code, made.json()["problem"], made.json()["acts"]) == (201, None, [])
    assert made.json()["label"] == "Slow lane (Repo)"
    file = repository / ".treadle/plan-templates/slow-lane/TEMPLATE.md"
    assert made.json()["path"] == str(file)
    text = file.read_text()
    assert "treadle template check slow-lane" in text
    assert "${ports.dev-server}" in text

    again = await down_client.post("/v1/templates", json=body)
    assert (again.status_code, again.json()["type"]) == (409, "treadle:template_exists")
    assert file.read_text() == text


async def test_a_new_template_of_the_users_own_lies_in_the_configuration(down_client, tmp_path):
    made = await down_client.post("/v1/templates", json={"name": "mine"})
    assert made.json()["choice"] == "user:mine"
    assert (tmp_path / "config/plan-templates/mine/TEMPLATE.md").exists()


@pytest.mark.parametrize("name", ["../x", "A", "-rf", "con", "a/b", "n" * 64])
async def test_a_name_that_can_be_none_makes_nothing(down_client, repository, name):
    body = {"name": name, "repository": str(repository)}
    answer = await down_client.post("/v1/templates", json=body)
    assert answer.status_code == 422
    assert not (repository / ".treadle").exists()


async def test_a_new_template_needs_a_repository_and_follows_no_link(
    down_client, repository, tmp_path
):
    body = {"name": "mine", "repository": str(tmp_path)}
    assert (await down_client.post("/v1/templates", json=body)).status_code == 422
    (tmp_path / "outside").mkdir()
    (repository / ".treadle").symlink_to(tmp_path / "outside")
    body["repository"] = str(repository)
    answer = await down_client.post("/v1/templates", json=body)
    assert answer.status_code == 422
    assert "symbolic link" in answer.json()["detail"]
    assert not list((tmp_path / "outside").iterdir())


@pytest.mark.parametrize(
    ("choice", "on_folder", "on_url"),
    [
        (None, ("gpu",), ()),
        ("repo:default", ("gpu",), ()),
        ("user:default", ("arm",), ("arm",)),
        ("builtin:default", (), ()),
        ("nowhere", (), ()),
        ("broken", (), ()),
    ],
)
def test_labels_are_known_of_templates_that_no_repository_elsewhere_can_replace(
    repository, put, tmp_path, choice, on_folder, on_url
):
    put("default", front("labels: [gpu]\n"))
    put("broken", front("labels: [two words]\n"))
    own = tmp_path / "config/plan-templates/default"
    own.mkdir(parents=True)
    (own / "TEMPLATE.md").write_text(front("labels: [arm]\n"))
    here = FilesHere(None, TemplateFiles(tmp_path / "config"))

    assert here.labels_of(choice, str(repository)) == on_folder
    assert here.labels_of(choice, "https://git.example/team/app.git@main") == on_url
    assert here.labels_of(choice, str(tmp_path / "elsewhere")) == ()
