"""What doors show of templates: which there are, what is wrong with one, what one does unasked."""

from domain.core.wire import Wire
from domain.plans.templates.template import PlanTemplate, TemplateSource


class TemplateProblem(Wire):
    """Why a template can't be used; line and column are 0 where the whole file is meant."""

    type: str
    message: str
    line: int = 0
    column: int = 0


class FoundTemplate(Wire):
    """A template that can be chosen, by `choice`, unless it has a `problem`.

    `acts` is what it does without asking; an untrusted one does nothing: threads do not open with it.
    """

    choice: str
    label: str
    source: TemplateSource
    path: str
    description: str = ""
    content_hash: str = ""
    is_default: bool = False
    is_trusted: bool = True
    acts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    problem: TemplateProblem | None = None


class TemplateView(Wire):
    """A template whole: what it says as it is read, where it can be, and its file's text."""

    found: FoundTemplate
    template: PlanTemplate | None = None
    text: str = ""
