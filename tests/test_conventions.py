"""The conventions that no other tool checks."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests import convention_rules as rules
from tests.convention_rules import ROOT, Rule, Source
from tests.deploy.wheels import build_wheel

BIN = Path(sys.executable).parent
PRODUCT = rules.product()
TESTS = rules.tests()
OURS = [*PRODUCT, *rules.client()]
EVERYTHING = [*OURS, *TESTS, *rules.page()]

RULES: dict[Rule, tuple[list[Source], str]] = {
    rules.has_bearable_size: (EVERYTHING, "\n" * 301),
    rules.has_short_functions: (OURS, "def f():\n" + "    g()\n" * 40),
    rules.has_few_positional_parameters: (OURS, "def f(self, a, b, c, d, e, g): ..."),
    rules.reads_no_state_before_an_await_and_writes_it_after: (
        PRODUCT,
        "async def f(self):\n    self.state = self.state.after(await g())",
    ),
    rules.imports_annotations_at_run_time: (OURS, "if TYPE_CHECKING:\n    import x"),
    rules.leaves_the_environment_to_settings: (PRODUCT, 'os.environ["HOME"]'),
    rules.has_a_name_for_each_function: (OURS, "def _(): ..."),
    rules.leaves_the_number_of_examples_to_the_profile: (TESTS, "settings(max_examples=5)"),
}
"""Each rule with the files that keep it and with a file that breaks it."""

named = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)


@named
def test_every_file_keeps_the_rule(rule: Rule):
    offenders = [place for source in RULES[rule][0] for place in rule(source)]
    assert not offenders, "\n".join([rule.__doc__ or rule.__name__, *offenders])


@named
def test_a_file_that_breaks_the_rule_is_found(rule: Rule):
    file = ROOT / "domain" / "planted.py"
    assert list(rule(Source(file, RULES[rule][1])))
    assert not list(rule(Source(file, "async def f(self, a):\n    b = await a\n    self.b = b\n")))


def not_locked(pyproject: str, locked: str) -> list[str]:
    wanted = re.findall(r'^ {4}"([a-z0-9-]+)(?:\[.*\])?==([^";]+)', pyproject, re.M)
    return [f"{n}=={v}" for n, v in wanted if not re.search(rf"^{n}(\[.*\])?=={v} ", locked, re.M)]


def test_the_lock_has_what_pyproject_asks_for():
    pyproject = (ROOT / "pyproject.toml").read_text()
    locked = (ROOT / "requirements-dev.lock").read_text()
    missing = not_locked(pyproject, locked)
    assert not missing, f"run `make lock`: {missing}"
    assert not_locked('    "pytest==0.0.1",', locked) == ["pytest==0.0.1"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_puts_one_name_into_site_packages(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {n.split("/")[0] for n in names} == {"treadle", "treadle-0.1.0.dist-info"}
    assert not [n for n in names if n.endswith("ruff.toml") or "__pycache__" in n]


def test_the_wheel_has_every_part_of_the_program(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    parts = {source.path.relative_to(ROOT).as_posix() for source in PRODUCT}
    expected = {p if p.startswith("treadle/") else f"treadle/{p}" for p in parts}
    templates = (f for f in (ROOT / "templates").rglob("*") if f.is_file())
    expected |= {f"treadle/{f.relative_to(ROOT).as_posix()}" for f in templates}
    assert expected <= set(names)


def version_printed_by(command: Path, folder: Path) -> str:
    return subprocess.run(
        [command, "--version"], check=True, capture_output=True, text=True, cwd=folder
    ).stdout


def test_the_command_works_from_a_wheel_alone(wheel: Path, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    options = ("--quiet", "--no-deps", "--offline", "--python", python)
    subprocess.run([BIN / "uv", "pip", "install", *options, wheel], check=True)
    printed = version_printed_by(tmp_path / "venv" / "bin" / "treadle", tmp_path)
    assert printed == "treadle 0.1.0\n"


def test_the_command_works_from_a_checkout(tmp_path: Path):
    assert version_printed_by(BIN / "treadle", tmp_path) == "treadle 0.1.0\n"
