"""The rules of the house that no other tool checks."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("domain", "workflows", "activities", "adapters", "api", "cli", "treadle")
SOURCES = sorted(
    [
        *(file for package in PACKAGES for file in (ROOT / package).rglob("*.py")),
        ROOT / "settings.py",
        *ROOT.glob("worker.py"),
        *ROOT.glob("queues.py"),
        *ROOT.glob("address.py"),
    ]
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PAGE = sorted(
    file
    for folder in ("src", "test")
    for file in (ROOT / "web" / folder).rglob("*.ts*")
    if file.name != "schema.d.ts"  # made of the OpenAPI
)
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
MAX_PARAMETERS = 5
BIN = Path(sys.executable).parent
PROGRAMS = {"scripted_agent", "builtin_agent", "bridge.py"}
"""Programs of their own, started like a vendor's agent: they are given an environment, not settings."""


def name_of(file: Path) -> str:
    return str(file.relative_to(ROOT))


def functions(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(file.read_text())
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("file", [*SOURCES, *TESTS, *PAGE], ids=name_of)
def test_a_file_has_one_subject_of_bearable_size(file: Path):
    lines = file.read_text().count("\n")
    assert lines <= MAX_FILE_LINES, f"{name_of(file)} has {lines} lines: split it by subject"


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_functions_are_short(file: Path):
    long = [f.name for f in functions(file) if f.end_lineno - f.lineno + 1 > MAX_FUNCTION_LINES]
    assert not long, f"longer than {MAX_FUNCTION_LINES} lines in {name_of(file)}: {long}"


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_functions_take_few_positional_parameters(file: Path):
    def count(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        arguments = function.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        return len([n for n in names if n not in {"self", "cls"}])

    wide = [f.name for f in functions(file) if count(f) > MAX_PARAMETERS and not is_command(f)]
    assert not wide, f"more than {MAX_PARAMETERS} parameters in {name_of(file)}: {wide}"


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A CLI command or a route: its parameters are the options that people see."""
    return any(isinstance(d, ast.Call) for d in function.decorator_list)


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_no_state_is_read_before_an_await_and_written_after_it(file: Path):
    """`self.x = self.x.f(await …)` loses what arrived during the await."""
    lost: list[int] = []
    for node in ast.walk(ast.parse(file.read_text())):
        if not isinstance(node, ast.Assign) or not any(
            isinstance(inner, ast.Await) for inner in ast.walk(node.value)
        ):
            continue
        written = {ast.unparse(t) for t in node.targets if isinstance(t, ast.Attribute)}
        read = {ast.unparse(n) for n in ast.walk(node.value) if isinstance(n, ast.Attribute)}
        if written & read:
            lost.append(node.lineno)
    assert not lost, f"{name_of(file)}, lines {lost}: await first, then assign"


@pytest.mark.parametrize("file", SOURCES, ids=name_of)
def test_annotations_are_imported_at_run_time(file: Path):
    assert not re.search(r"^\s*if TYPE_CHECKING", file.read_text(), re.MULTILINE)


def test_only_settings_reads_the_environment():
    readers = [
        name_of(file)
        for file in SOURCES
        if file.name not in {"address.py", "settings.py"}
        and not PROGRAMS.intersection(file.parts)
        and re.search(r"os\.(environ|getenv)", file.read_text())
    ]
    assert not readers, f"only address.py and settings.py read the environment, not {readers}"


def test_the_lock_has_what_pyproject_asks_for():
    wanted = re.findall(
        r'^ {4}"([a-z0-9-]+)(?:\[.*\])?==([^"]+)"', (ROOT / "pyproject.toml").read_text(), re.M
    )
    locked = (ROOT / "requirements-dev.lock").read_text()
    missing = [
        f"{n}=={v}" for n, v in wanted if not re.search(rf"^{n}(\[.*\])?=={v} ", locked, re.M)
    ]
    assert not missing, f"run `make lock`: {missing}"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = (
        "--quiet",
        "--wheel",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
    )
    subprocess.run([BIN / "uv", "build", *options, folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_puts_one_name_into_site_packages(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {n.split("/")[0] for n in names} == {"treadle", "treadle-0.1.0.dist-info"}
    assert not [n for n in names if n.endswith("ruff.toml") or "__pycache__" in n]


def test_the_wheel_has_every_part_of_the_program(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    parts = {f.relative_to(ROOT).as_posix() for f in SOURCES}
    expected = {p if p.startswith("treadle/") else f"treadle/{p}" for p in parts}
    templates = (f for f in (ROOT / "templates").rglob("*") if f.is_file())
    expected |= {f"treadle/{f.relative_to(ROOT).as_posix()}" for f in templates}
    assert expected <= set(names)


def test_the_command_works_from_a_wheel_alone(wheel: Path, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    options = ("--quiet", "--no-deps", "--offline", "--python", python)
    subprocess.run([BIN / "uv", "pip", "install", *options, wheel], check=True)
    command = [tmp_path / "venv" / "bin" / "treadle", "--version"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert said.stdout == "treadle 0.1.0\n"


def test_the_command_works_from_a_checkout(tmp_path: Path):
    command = [BIN / "treadle", "--version"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert said.stdout == "treadle 0.1.0\n"
