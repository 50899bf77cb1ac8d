"""What a step's processes open of the files that the task changed: told by name, and only what judges."""

import pytest

from activities.clean_steps import CleanSteps
from adapters.files.open_watch import OpenWatch
from adapters.git.step_watch import StepWatch
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import SandboxRules
from domain.verification.checkouts import Recipe
from domain.verification.judges.suspects import MAX_WATCHED, Altered, How
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import commit_of, spec_of

BASE = {
    "Makefile": "check:\n\tsh scripts/check.sh\n\tpython3 inspect_all.py\nrun:\n\tpython3 app.py\n",
    "scripts/check.sh": "#!/bin/sh\n. scripts/lib.sh\npython3 -B -m unittest -q tests.test_app\n",
    "scripts/lib.sh": "set -e\n",
    "scripts/unused.sh": "true\n",
    "inspect_all.py": "import app\n",
    "app.py": "VALUE = 1\n",
    "data.json": "{}\n",
    "notes.txt": "no\n",
    "settings.ini": "[a]\nb = 1\n",
    "tests/__init__.py": "",
    "tests/test_app.py": "import app, unittest\nclass T(unittest.TestCase):\n def test(self): app.VALUE\n",
    "tests/test_gone.py": "",
}


@pytest.fixture
def repository(repository, git):
    """Whose check calls scripts, which call others."""
    for name, text in BASE.items():
        file = repository / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=checks")
    return repository


@pytest.fixture
async def judged(workspaces, repository, branch, data_dir, tmp_path, monkeypatch):
    """Change files as a task, run a step on its commit, and return what is told of them."""
    monkeypatch.setattr("activities.clean_steps.activity.heartbeat", lambda: None)
    spawner = host_spawner(
        HostFolders(data_dir, data_dir / "programs", tmp_path / "config"), BASE_ENVIRONMENT
    )
    steps = CleanSteps(workspaces, StepVerifier(spawner, rules=SandboxRules()))
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)

    async def run(changes, command="make check", kind=StepType.COMMAND, recipe=Recipe()):  # noqa: B008
        for name, text in changes.items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if callable(text):
                text(file)
            else:
                file.write_text(text)
        snapshot = await workspaces.commit(spec, commit_of("turn-1"))
        step = VerificationStep(id="s", type=kind, label="s", command=command)
        result, _ = await steps.run(step, StepPlace(path, spec), snapshot.commit, recipe)
        assert result.passed, result.output
        return {one.name: one.how for one in result.judged}

    return run


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"scripts/lib.sh": "set -eu\n"}, ["scripts/lib.sh"]),
        ({"inspect_all.py": "pass\n"}, ["inspect_all.py"]),
        ({"tests/test_app.py": "import unittest\n"}, ["tests/test_app.py"]),
        ({"scripts/check.sh": "true\n", "scripts/lib.sh": "true\n"}, ["scripts/check.sh"]),
        ({"app.py": "VALUE = 2\n", "data.json": "[]\n"}, []),
        ({"app.py": "VALUE = 2\n", "tests/test_new.py": "raise SystemExit\n"}, []),
        ({"scripts/unused.sh": "false\n", "settings.ini": "[a]\n"}, []),
        ({"scripts/new.sh": "true\n"}, []),
    ],
    ids=[
        *("sourced", "called by make", "existing test", "cut short", "product", "new test"),
        *("not opened", "new script"),
    ],
)
async def test_what_judges_is_reported_and_the_product_is_not(judged, changes, names):
    assert await judged(changes) == dict.fromkeys(names, How.OPENED)


async def test_a_program_is_told_whatever_it_is_called_and_so_is_what_configures(judged):
    def program(file):
        file.write_text("#!/bin/sh\n:\n")
        file.chmod(0o755)

    found = await judged({"app.py": program, "settings.ini": "[b]\n"}, "./app.py; cat settings.ini")

    assert found == {"app.py": How.OPENED, "settings.ini": How.OPENED}


async def test_a_text_that_a_step_looks_at_is_told_only_where_it_runs(judged):
    assert await judged({"notes.txt": "true\n"}, command="grep -q true notes.txt") == {}

    found = await judged({"notes.txt": "exit\n"}, command="sh notes.txt")

    assert found == {"notes.txt": How.OPENED}


async def test_what_is_gone_or_a_link_now_is_told_without_being_opened(judged):
    def gone(file):
        file.unlink()

    def true(file):
        file.unlink()
        file.symlink_to("/bin/true")

    found = await judged({"tests/test_gone.py": gone, "scripts/check.sh": true}, "true")

    assert found == {"tests/test_gone.py": How.REMOVED, "scripts/check.sh": How.LINK}


async def test_what_prepares_is_watched_as_well(judged):
    recipe = Recipe(prepare=(". scripts/lib.sh",))

    assert await judged({"scripts/lib.sh": "set -u\n"}, "true", recipe=recipe) == {
        "scripts/lib.sh": How.OPENED
    }


def test_more_than_can_be_watched_is_told_as_perhaps(tmp_path):
    names = [f"tests/{number:03}.txt" for number in range(MAX_WATCHED + 2)]
    _write(tmp_path, names)
    watch = StepWatch(tmp_path, [Altered(name, "100644", "100644") for name in names])
    (tmp_path / names[0]).read_text()

    told = {one.name: one.how for one in watch.end()}

    assert told == {names[0]: How.OPENED} | dict.fromkeys(names[MAX_WATCHED:], How.UNWATCHED)


def _write(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


def test_each_file_is_reported_once_and_what_cannot_be_watched_is_named(tmp_path):
    _write(tmp_path, ["a", "b", "c"])
    files = OpenWatch(tmp_path, ["a", "b", "gone"])
    for _ in range(3):
        (tmp_path / "a").read_text()
        (tmp_path / "c").read_text()

    assert files.unwatched == {"gone"}
    assert files.end() == {"a"}
    assert files.end() == {"a"}
