"""Questions about the files of a host: templates, recipes, agents, and what is trusted there."""

from enum import StrEnum

from domain.core.summaries import Summarized
from domain.core.wire import Wire


class FileSubject(StrEnum):
    """What is read, or written."""

    TEMPLATES = "templates"
    TEMPLATE = "template"
    CREATE_TEMPLATE = "create_template"
    TRUST_TEMPLATE = "trust_template"
    RECIPE = "recipe"
    KEEP_RECIPE = "keep_recipe"
    TRUST_RECIPE = "trust_recipe"
    AGENTS = "agents"
    AGENT = "agent"
    USABLE_AGENT = "usable_agent"
    TRUST_AGENT = "trust_agent"
    METADATA = "metadata"
    TRUST_METADATA = "trust_metadata"


TRUSTING = frozenset(
    {
        FileSubject.TRUST_TEMPLATE,
        FileSubject.TRUST_RECIPE,
        FileSubject.TRUST_AGENT,
        FileSubject.TRUST_METADATA,
    }
)
"""What a person says of a content that they were shown, wherever it is."""


class FileCall(Summarized):
    """One question of a person, asked by a workflow with this id on the queue of a host.

    `project` is the folder of the repository that the person may see; `*` is any. A host that
    has another repository there refuses, as it does where `has_repository` and there is none.
    """

    query_id: str = ""
    host: str = ""
    subject: FileSubject
    repository: str | None = None
    project: str = "*"
    has_repository: bool = False
    name: str = ""
    text: str = ""
    content_hash: str = ""
    source: str = ""
    default_agent: str | None = None
    by: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"{self.subject.replace('_', ' ')}"


class FileAnswer(Wire):
    """The answer as JSON, or why there is none, with the stable name of the error."""

    content: str = ""
    failure: str = ""
    error: str = ""
