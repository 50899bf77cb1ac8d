"""The documentation: generated pages are fresh, every link leads somewhere, the README is short."""

import re
import subprocess
import sys
from pathlib import Path

from docs.build_reference import PAGES, pages
from domain.agents.billing import MoneyOptions
from domain.agents.limits.circling import CirclingLimits
from domain.hosts.host import HostSettings
from domain.plans.settings import PlannerSettings
from domain.queue.entry import QueueLimits
from settings import Settings
from settings.serve import OidcTable, ProxyTable, ServeTable
from settings.webhooks import WebhooksTable

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MAX_README_WORDS = 700
MAX_PICTURE_BYTES = 200_000
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)
SOURCES = ("*.py", "*.ts", "*.tsx", "*.css", "*.mjs")
COMMENT = re.compile(r'""".*?"""|/\*.*?\*/|(?:^|\s)(?:#|//) [^\n]*', re.S)
OUTSIDE = re.compile(
    r"\bseeds? \d{3}|\bfeatures\.md|\breliability(?: page|\.md)?, |(?<![/\w])reliability\.md"
    r"|\barchitecture, (?:sections? )?\d|\bfacts/|\bfacts: ui|\(issue \d|\((?:rows? )?[A-NT]\d{1,2}[,;)]"
)
"""Papers and their rows that no reader of the repository has."""
TABLES = {
    "planner": PlannerSettings,
    "queue": QueueLimits,
    "circling": CirclingLimits,
    "host": HostSettings,
    "money": MoneyOptions,
    "serve": ServeTable,
    "oidc": OidcTable,
    "proxy": ProxyTable,
    "webhooks": WebhooksTable,
}


def test_generated_pages_are_fresh():
    stale = [
        file.name for file, text in pages().items() if not file.exists() or file.read_text() != text
    ]
    assert not stale, f"run `make docs`: {stale}"


def test_the_page_of_commands_is_fresh():
    options = ("utils", "docs", "--name", "treadle", "--title", "The command line")
    typer = Path(sys.executable).parent / "typer"
    made = subprocess.run(
        [typer, "treadle.commands", *options], check=True, capture_output=True, text=True
    )
    assert made.stdout.strip() == (PAGES / "cli.md").read_text().strip(), "run `make docs`"


def test_every_setting_is_documented():
    names = [name for name in Settings.model_fields if name not in TABLES]
    names += [f"{table}_{name}" for table, model in TABLES.items() for name in model.model_fields]
    page = (PAGES / "settings.md").read_text()
    missing = [name for name in names if f"`TREADLE_{name.upper()}`" not in page]
    assert not missing, f"write a docstring below these fields: {missing}"


def test_every_relative_link_leads_to_a_file():
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("bench/**/*.md")]
        for target in LINK.findall(CODE.sub("", page.read_text()))
        if not re.match(r"[a-z]+:|#", target)
        and not (page.parent / target.partition("#")[0]).exists()
    ]
    assert not broken, broken


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "zensical.toml").read_text()
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    missing = {page for page in pages if not page.startswith("adr/0") and page not in navigation}
    assert not missing


def test_the_readme_is_short_and_its_picture_small():
    assert len((ROOT / "README.md").read_text().split()) <= MAX_README_WORDS
    for picture in (DOCS / "images").iterdir():
        assert picture.stat().st_size <= MAX_PICTURE_BYTES, picture.name


def test_no_comment_refers_to_a_document_outside_of_the_repository():
    files = subprocess.check_output(["git", "ls-files", *SOURCES], cwd=ROOT, text=True).split()
    found = [
        f"{name}: {match.group()}"
        for name in files
        for comment in COMMENT.findall((ROOT / name).read_text())
        for match in OUTSIDE.finditer(comment)
    ]
    assert not found, "say what is meant, or add it to docs/: " + ", ".join(found)
