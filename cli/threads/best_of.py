"""The options of a thread whose tasks several agents do at once."""

from typing import Annotated, Any

import typer

from cli.core.errors import CommandError
from cli.core.options import given
from domain.plans.best_of import BestOfEnd

BestOf = Annotated[
    str | None,
    typer.Option(
        "--best-of",
        metavar="AGENT[:MODEL],…",
        help="Agents that do each task in parallel; you take the work of one. Implies --plan.",
    ),
]
Ends = Annotated[
    BestOfEnd | None,
    typer.Option("--ends", help="With --best-of: wait for all, or stop when the first passes."),
]
Judge = Annotated[
    str | None,
    typer.Option(metavar="AGENT[:MODEL]", help="With --best-of: an agent that gives its opinion."),
]


def best_of_fields(agents: str | None, ends: BestOfEnd | None, judge: str | None) -> dict[str, Any]:
    """Return the field of a request that says which agents do each task at once.

    Raises:
        CommandError: There is something to say of it, but it is not asked for.
    """
    if agents is None:
        if ends or judge:
            raise CommandError("--ends and --judge need --best-of")
        return {}
    names = [name.strip() for name in agents.split(",") if name.strip()]
    return {"best_of": {"agents": names, **given(ends=ends, judge=judge)}}
