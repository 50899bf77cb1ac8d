"""What an engine found on this machine, for the one screen of `treadle up`."""

from urllib.parse import urlsplit

from settings import Settings
from treadle import __version__
from treadle.agents import agent_findings
from treadle.engine import own_temporal
from treadle.sandbox_choice import sandbox_findings


def found_here(settings: Settings) -> list[tuple[str, str]]:
    """Return what there is, by name, each in a line: `treadle doctor` says more."""
    agents, sandbox = agent_findings(settings)[0], sandbox_findings(settings)[0]
    return [
        ("Version", __version__),
        ("Journal", _journal(settings)),
        *([("Histories", _histories(settings))] if own_temporal() else []),
        ("Agents", agents.found if agents.is_well else f"{agents.found}; see `treadle agents`"),
        ("Sandbox", sandbox.found.partition(";")[0]),
    ]


def _journal(settings: Settings) -> str:
    """Return where the journal is, without a password."""
    if settings.journal_url is None:
        return "SQLite, in the data folder"
    url = urlsplit(settings.journal_url)
    return f"{url.scheme.partition('+')[0]} at {url.hostname or 'this machine'}{url.path}"


def _histories(settings: Settings) -> str:
    days = settings.temporal_retention_days
    return f"in Temporal, for {days} {'day' if days == 1 else 'days'} after their end"
