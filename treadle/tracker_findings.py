"""What `treadle doctor` finds of trackers: accounts that are named by login, and what the newest look said."""

from typing import Any

from cli.core.client import Client
from cli.core.errors import CommandError
from composition.trackers import signed_in
from settings import Settings
from treadle.finding import Finding


def tracker_findings(settings: Settings) -> list[Finding]:
    """Return what is wrong with the trackers of the settings, and those that the engine cannot look at."""
    if not settings.trackers:
        return []
    return [*_configured(settings), *_failing(settings)]


def _configured(settings: Settings) -> list[Finding]:
    findings: list[Finding] = []
    for table in settings.trackers:
        name = f"tracker {table.name}"
        _, tokens = signed_in(table, settings, lambda _: None)
        if tokens.is_missing():
            found = f"it has no token: {tokens.name} is not set here"
            fix = "set it where the worker runs, then start Treadle again"
            findings.append(
                Finding(name=name, is_well=False, is_required=False, found=found, fix=fix)
            )
        for warning in table.source.warnings:
            fix = "name it by id in config.toml; see docs/how-to/trackers.md"
            findings.append(
                Finding(name=name, is_well=False, is_required=False, found=warning, fix=fix)
            )
    return findings


def _failing(settings: Settings) -> list[Finding]:
    client = Client(settings, patience=0)
    try:
        found: Any = client.get("/v1/trackers")["trackers"] if client.is_answered() else []
    except CommandError:
        return []
    return [_finding(view) for view in found]


def _finding(view: Any) -> Finding:
    problem = view["problem"]
    return Finding(
        name=f"tracker {view['source']['name']}",
        is_well=not problem,
        is_required=False,
        found=problem or view["status"],
        fix="it is asked again by itself; see docs/how-to/trackers.md" if problem else "",
    )
