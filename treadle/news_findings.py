"""What `treadle doctor` finds of the channels of a running engine that news go out by."""

from typing import Any

from cli.core.client import Client
from cli.core.errors import CommandError
from domain.core.text import counted
from settings import Settings
from treadle.finding import Finding


def news_findings(settings: Settings) -> list[Finding]:
    """Return the channels whose newest message was not taken, and those that gave one up; nothing where no engine answers."""
    client = Client(settings, patience=0)
    try:
        found: Any = client.get("/v1/news")["channels"] if client.is_answered() else []
    except CommandError:
        return []
    failing = [_finding(each) for each in found if each["reason"] and each["newest"] != "sent"]
    return [*failing, *(_lost(each) for each in found if each.get("given_up"))]


def _finding(view: Any) -> Finding:
    name = view["channel"]["name"]
    end = "given up" if view["newest"] == "given_up" else "tried again"
    return Finding(
        name=f"news {name}",
        is_well=False,
        is_required=False,
        found=f"not delivered, {end}: {view['reason']}",
        fix=f"see docs/how-to/news.md, then `treadle notify test {name}`",
    )


def _lost(view: Any) -> Finding:
    name = view["channel"]["name"]
    return Finding(
        name=f"news {name}",
        is_well=False,
        is_required=False,
        found=f"{counted(view['given_up'], 'message')} of the last week reached nobody",
        fix="look at `treadle inbox`: what still waits there was not told",
    )
