"""What the tests of a Python project need, by the files that say so."""

import configparser
import re
from collections.abc import Iterator, Mapping
from typing import cast

from domain.recipes.checkout_files import CheckoutFiles

TESTING = ("dev", "develop", "development", "test", "tests", "testing", "ci")
"""The names that projects give to what their tests need, the widest first."""

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9][\w.-]*)(\[[\w.,-]+\])?([<>=!~]=?[\w.*+!]+(,[<>=!~]=?[\w.*+!]+)*)?", re.ASCII
)
_FILE_OPTION = re.compile(r"(?:-r\s*|--requirement[ =]\s*)([\w./-]+)", re.ASCII)
_OWN_EXTRAS = re.compile(r"\[([\w.,\s-]+)\]", re.ASCII)
_OPTIONS = (
    (re.compile(r"(^|\s)--(no-)?cov"), "pytest-cov"),
    (re.compile(r"(^|\s)(-n[\s=]?(\d|auto|logical)|--numprocesses)"), "pytest-xdist"),
    (re.compile(r"(^|\s)--timeout"), "pytest-timeout"),
    (re.compile(r"(^|\s)--reruns"), "pytest-rerunfailures"),
    (re.compile(r"(^|\s)--benchmark-"), "pytest-benchmark"),
)
_SETTINGS = {
    "asyncio_mode": "pytest-asyncio",
    "timeout": "pytest-timeout",
    "DJANGO_SETTINGS_MODULE": "pytest-django",
}


def set_for_tests(sets: Mapping[str, object]) -> str | None:
    """Return the extra or dependency group that tests need.

    That is the first that has pytest, of those that are called like it and then of the others; else
    the first that is called like it.
    """
    named = [name for name in TESTING if name in sets]
    others = [name for name in sets if name not in named and _NAME.fullmatch(name)]
    with_pytest = (name for name in (*named, *others) if has_pytest(name, sets))
    return next(with_pytest, named[0] if named else None)


def has_pytest(
    name: str | None, sets: Mapping[str, object], above: frozenset[str] = frozenset()
) -> bool:
    """Tell whether an extra or dependency group has pytest, itself or by another one that it names."""
    if name is None or name in above or not isinstance(sets.get(name), list):
        return False
    items = cast("list[object]", sets[name])
    if any(isinstance(item, str) and re.match(r"pytest\b", item.strip()) for item in items):
        return True
    return any(
        has_pytest(other, sets, above | {name}) for item in items for other in _named_by(item)
    )


def _named_by(item: object) -> list[str]:
    """Return the groups that an item of a group includes, or the extras that an item of an extra names."""
    if isinstance(item, dict):
        group = cast("dict[str, object]", item).get("include-group")
        return [group] if isinstance(group, str) else []
    found = _OWN_EXTRAS.search(item) if isinstance(item, str) else None
    return [name.strip() for name in found[1].split(",")] if found else []


def extras_of_setup_cfg(files: CheckoutFiles) -> dict[str, object]:
    """Return the extras that a setup.cfg has, as a pyproject.toml says them."""
    section = _ini(files.text("setup.cfg")).get("options.extras_require", {})
    return {name: text.split("\n") for name, text in section.items()}


def words_for_tests(files: CheckoutFiles, options: Mapping[str, object]) -> list[str]:
    """Return what to install where no extra, group or file has pytest, as words of a shell.

    It is what tox installs in every environment, with pytest and the plugins that its configuration
    names; `options` is what pyproject.toml has of it.
    """
    tox = _ini(files.text("tox.ini"))
    words = list(_of_tox(files, tox.get("testenv", {}).get("deps", "")))
    known = {_name(word) for word in words}
    sections: tuple[Mapping[str, object], ...] = (
        options,
        _ini(files.text("pytest.ini")).get("pytest", {}),
        tox.get("pytest", {}),
        _ini(files.text("setup.cfg")).get("tool:pytest", {}),
    )
    wanted = ["pytest", *(plugin for section in sections for plugin in _plugins(section))]
    return [*words, *(name for name in dict.fromkeys(wanted) if name not in known)]


def _of_tox(files: CheckoutFiles, deps: str) -> Iterator[str]:
    """Yield what tox installs whatever its factors: a line of some only begins with their names."""
    for line in deps.splitlines():
        text = line.partition(" #")[0].strip()
        if (file := _FILE_OPTION.fullmatch(text)) and files.has(file[1]):
            yield f"--requirement {file[1]}"
        elif _REQUIREMENT.fullmatch(plain := text.replace(" ", "")):
            yield plain if re.fullmatch(r"[\w.=-]+", plain, re.ASCII) else f"'{plain}'"


def _plugins(section: Mapping[str, object]) -> Iterator[str]:
    said = section.get("addopts")
    added = " ".join(map(str, cast("list[object]", said))) if isinstance(said, list) else str(said)
    yield from (plugin for option, plugin in _OPTIONS if option.search(added))
    yield from (plugin for key, plugin in _SETTINGS.items() if key in section)


def _name(word: str) -> str:
    found = _REQUIREMENT.match(word.strip("'"))
    return found[1] if found else ""


def _as_written(optionstr: str) -> str:
    return optionstr


def _ini(text: str) -> dict[str, dict[str, str]]:
    reader = configparser.RawConfigParser(strict=False)
    reader.optionxform = _as_written
    try:
        reader.read_string(text)
    except (configparser.Error, ValueError):
        return {}
    return {name: dict(reader.items(name)) for name in reader.sections()}
