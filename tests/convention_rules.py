"""The conventions that each file keeps by itself: each rule names the places that break it."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("domain", "workflows", "activities", "adapters", "api", "cli", "settings", "treadle")
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
MAX_PARAMETERS = 5
PROGRAMS = {"scripted_agent", "builtin_agent", "bridge.py"}
"""Programs of their own, started like a vendor's agent: they are given an environment, not settings."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A file of ours, read once and parsed at most once."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.text)))

    @property
    def functions(self) -> list[Function]:
        return [node for node in self.nodes if isinstance(node, Function)]


Rule = Callable[[Source], Iterator[str]]


def has_bearable_size(source: Source) -> Iterator[str]:
    """A file has one subject: split a long one by subject."""
    lines = source.text.count("\n")
    if lines > MAX_FILE_LINES:
        yield f"{source.name}: {lines} lines"


def has_short_functions(source: Source) -> Iterator[str]:
    for function in source.functions:
        lines = (function.end_lineno or 0) - function.lineno + 1
        if lines > MAX_FUNCTION_LINES:
            yield f"{source.name}:{function.lineno}: {function.name} has {lines} lines"


def has_few_positional_parameters(source: Source) -> Iterator[str]:
    """A CLI command or a route may have more: its parameters are the options that people see."""
    for function in source.functions:
        arguments = [*function.args.posonlyargs, *function.args.args]
        count = len([a for a in arguments if a.arg not in {"self", "cls"}])
        is_command = any(isinstance(d, ast.Call) for d in function.decorator_list)
        if count > MAX_PARAMETERS and not is_command:
            yield f"{source.name}:{function.lineno}: {function.name} has {count} parameters"


def reads_no_state_before_an_await_and_writes_it_after(source: Source) -> Iterator[str]:
    """`self.x = self.x.f(await …)` loses what arrived during the await: await first, then assign."""
    for node in source.nodes:
        if not isinstance(node, ast.Assign) or not any(
            isinstance(inner, ast.Await) for inner in ast.walk(node.value)
        ):
            continue
        written = {ast.unparse(t) for t in node.targets if isinstance(t, ast.Attribute)}
        read = {ast.unparse(n) for n in ast.walk(node.value) if isinstance(n, ast.Attribute)}
        if written & read:
            yield f"{source.name}:{node.lineno}"


def imports_annotations_at_run_time(source: Source) -> Iterator[str]:
    """Temporal, pydantic and FastAPI read annotations at run time."""
    if re.search(r"^\s*if TYPE_CHECKING", source.text, re.MULTILINE):
        yield source.name


def leaves_the_environment_to_settings(source: Source) -> Iterator[str]:
    """`address.py` and `settings` alone read the environment."""
    if source.name in {
        "address.py",
        "settings/__init__.py",
        "settings/observe.py",
    } or PROGRAMS.intersection(source.path.parts):
        return
    if re.search(r"os\.(environ|getenv)", source.text):
        yield source.name


def leaves_the_number_of_examples_to_the_profile(source: Source) -> Iterator[str]:
    """No profile of hypothesis reaches a number that a test sets by itself: say `effort(…)`."""
    if source.path.name == "hypothesis_profiles.py":
        return
    for node in source.nodes:
        if isinstance(node, ast.keyword) and node.arg == "max_examples":
            yield f"{source.name}:{node.value.lineno}"


def has_a_name_for_each_function(source: Source) -> Iterator[str]:
    """A function named `_` is found by no search and says nothing in a stack trace."""
    for function in source.functions:
        if function.name == "_":
            yield f"{source.name}:{function.lineno}"


def sources(files: Iterable[Path]) -> list[Source]:
    return [Source(file, file.read_text()) for file in sorted(files)]


def product() -> list[Source]:
    """Every Python file of the product."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    names = ("address", "worker", "queues")
    loose = [file for name in names for file in ROOT.glob(f"{name}.py")]
    return sources([*files, *loose])


def client() -> list[Source]:
    """The Python client's own files; the others are made of the OpenAPI."""
    made = {"models.py", "operations.py", "problems.py"}
    files = (ROOT / "client").rglob("*.py")
    return sources(f for f in files if f.parent.name != "treadle_client" or f.name not in made)


def tests() -> list[Source]:
    return sources((ROOT / "tests").rglob("*.py"))


def page() -> list[Source]:
    """The page's own files; `schema.d.ts` is made of the OpenAPI."""
    files = (f for folder in ("src", "test") for f in (ROOT / "web" / folder).rglob("*.ts*"))
    return sources(file for file in files if file.name != "schema.d.ts")
