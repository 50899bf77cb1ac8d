"""What Temporal's lists show of a workflow: search attributes, memo, summary and details, in clear (ADR 0008)."""

from collections.abc import Iterable

from domain.core.secret_forms import without_split_secrets
from domain.core.summaries import bounded
from domain.core.wire import Wire

KEYWORDS = (
    *("TreadleKind", "TreadleProject", "TreadleStatus", "TreadleWaitingFor"),
    *("TreadlePerson", "TreadleTemplate", "TreadleAgent"),
)
"""Search attributes that are compared as they are."""

TITLE = "TreadleTitle"
"""The one that is searched by its words."""

TYPES = {**dict.fromkeys(KEYWORDS, "Keyword"), TITLE: "Text"}
"""All search attributes, with what Temporal calls their types."""

NEEDS_YOU = "needs you"
"""The status of all that a person is asked something."""

MAX_SHOWN = 160
"""Characters of an attribute: above 2,048 bytes Temporal ends the workflow that sets it."""


class Listing(Wire):
    """A workflow as lists show it from its start; `look` is the command that shows it.

    `watches` is what on a forge or tracker it looks at (domain/forges/hints.py): hints find it by that.
    """

    kind: str
    status: str
    title: str = ""
    project: str = ""
    person: str = ""
    template: str = ""
    agent: str = ""
    look: str = ""
    watches: str = ""

    @property
    def shown_title(self) -> str:
        """Its title on one line."""
        return bounded(self.title)

    @property
    def keywords(self) -> dict[str, str]:
        """Its search attributes but for the title; those without a value are left out."""
        values = {
            "TreadleKind": self.kind,
            "TreadleProject": self.project,
            "TreadleStatus": self.status,
            "TreadlePerson": self.person,
            "TreadleTemplate": self.template,
            "TreadleAgent": self.agent,
        }
        given = {name: value for name, value in values.items() if value}
        return {name: without_split_secrets(value)[:MAX_SHOWN] for name, value in given.items()}

    @property
    def details(self) -> str:
        """What never changes of it, as Markdown."""
        facts = {
            "project": self.project,
            "agent": self.agent,
            "template": self.template,
            "opened by": self.person,
        }
        lines = [f"* {name}: {bounded(value)}" for name, value in facts.items() if value]
        look = without_split_secrets(self.look)
        looks = [f"`{look}` shows it with its history in clear."] if look else []
        return "\n".join(
            [f"**{self.shown_title or self.kind}** ({self.kind})", "", *lines, "", *looks]
        )


def listed_status(status: str, waiting_for: str) -> str:
    """Return a status as lists have it: what waits for a person is told from all else."""
    return NEEDS_YOU if waiting_for else status


def project_name(repository: str) -> str:
    """Return a repository's short name."""
    return (repository.rstrip("/").rsplit("/", 1)[-1] or repository)[:MAX_SHOWN]


def waiting_lines(waiting_for: str, look: str, answers: Iterable[str]) -> list[str]:
    """Return what a person is asked, and the command lines that answer it."""
    return [
        f"**Needs you**: {bounded(waiting_for)}",
        "",
        *(f"* `{answer}`" for answer in answers),
        "",
        f"`treadle show {look} --signals` prints the lines for the Temporal CLI.",
    ]
