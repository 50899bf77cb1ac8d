"""A repository, a user and a data folder whose templates a test writes."""

from pathlib import Path

from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates

REPO = "repo/.treadle/plan-templates"
SEEDS = "repo/.flowgentic/plan-templates"
OURS = "config/plan-templates"
HOME = "home/.treadle/plan-templates"
STEPS = "verification: {steps: [{type: command, command: make}]}\n"


class TemplateLab(TemplateFiles):
    """The templates of a folder: `repo`, `config`, `home` and `data` lie in it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "config",
            home=folder / "home",
            trusted=TrustedTemplates(folder / "data"),
        )
        self.folder = folder
        self.repository = str(folder / "repo")
        (folder / "repo/.git").mkdir(parents=True)
        (folder / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")

    def put(self, place: str, name: str, text: str) -> Path:
        """Write a template: `put(REPO, "default", front("x"))`."""
        path = self.folder / place / name / "TEMPLATE.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def problems(self) -> dict[str, str]:
        """Return what is wrong with each template, empty for a sound one, by its choice."""
        return {
            each.choice: each.problem.message if each.problem else ""
            for each in self.found(self.repository)
        }


def front(description: str, extra: str = "") -> str:
    """Return a template's text."""
    return f"---\nname: Tee\ndescription: {description}\n{extra}---\nprose\n"
