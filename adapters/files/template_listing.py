"""How templates that can't be used, or not yet, are told of."""

from collections.abc import Iterable
from pathlib import Path

from adapters.files.template_scopes import Scope
from domain.plans.templates.template import PlanTemplate
from domain.plans.templates.views import FoundTemplate, TemplateProblem

_SHOWN_ACTS = 20
_SHOWN_LENGTH = 200
_NAMED = 50


def broken(scope: Scope, name: str, problem: TemplateProblem) -> FoundTemplate:
    """Return a template, or a whole folder of them, that can't be used."""
    # a folder's name may be no Unicode
    shown = name.encode("utf-8", "backslashreplace").decode()
    path = scope.path if name == scope.folder else str(scope.root / scope.file_of(shown))
    return FoundTemplate(
        choice=f"{scope.source}:{shown}",
        label=f"{shown} ({scope.source.label})",
        source=scope.source,
        path=path,
        problem=problem,
    )


def hidden(found: FoundTemplate, first: FoundTemplate) -> FoundTemplate:
    """Return a template that can't be chosen: another one of its scope has its name."""
    words = f"{first.path} has the same name and goes before it"
    problem = found.problem or TemplateProblem(type="hidden", message=words)
    return found.model_copy(update={"problem": problem})


def in_words(found: Iterable[FoundTemplate]) -> str:
    """Return the names of templates, and what is wrong with some; a bounded text."""
    names = sorted({_in_words(each) for each in found})
    more = [f"and {len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join([*names[:_NAMED], *more])


def _in_words(found: FoundTemplate) -> str:
    name = found.choice.partition(":")[2]
    return f"{name} ({_cut(found.problem.message)})" if found.problem else name


def not_trusted(template: PlanTemplate) -> str:
    """Say what a template would do without asking, and how to let it."""
    acts = [f"- {_cut(act)}" for act in template.acts[:_SHOWN_ACTS]]
    if len(template.acts) > _SHOWN_ACTS:
        acts.append(f"- and {len(template.acts) - _SHOWN_ACTS} more")
    choice = f"{template.source}:{template.id}"
    return "\n".join(
        [
            f"the plan template {template.label} in {template.path} (sha256 "
            f"{template.content_hash}) is not trusted as it is now. By itself it:",
            *acts,
            f"Read it, then trust it with `treadle template trust {choice}` in "
            f"{Path(template.path).parents[3]}, or choose another one, like builtin:default",
        ]
    )


def _cut(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN_LENGTH else f"{shown[:_SHOWN_LENGTH]}…"
