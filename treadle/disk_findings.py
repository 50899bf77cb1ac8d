"""What `treadle doctor` finds of the room that work takes on this host, and of its limits."""

from adapters.disk.inventory import Inventory
from adapters.disk.measuring import Measure
from adapters.disk_room import free_bytes
from domain.core.text import size
from domain.retention.disk import choose_removals, held_words
from settings import Settings
from treadle.finding import Finding

MEASURING_SECONDS = 10.0
"""What is not measured by then is not waited for."""


def disk_findings(settings: Settings) -> list[Finding]:
    """Tell what worktrees, pools, layers, caches, mirrors and trash take, and whether the limits can be met."""
    measure = Measure(MEASURING_SECONDS)
    stored = Inventory(settings.data_dir).all(measure)
    free, limits = free_bytes(settings.data_dir), settings.disk_limits
    plan = choose_removals(stored, limits, free)
    budget = f" of {size(limits.budget_bytes)}" if limits.budget_bytes is not None else ""
    used = f"{'' if measure.is_whole else 'at least '}{size(plan.used_bytes)}{budget}"
    kinds = held_words(stored)
    findings = [
        Finding(
            name="disk of work",
            is_well=not plan.missing_bytes,
            is_required=False,
            found=f"{used}: {kinds}" if kinds else used,
            fix=plan.words,
        )
    ]
    if limits.least_free_bytes is not None:
        findings.append(
            Finding(
                name="free disk space",
                is_well=not limits.is_short(free),
                is_required=False,
                found=f"{size(free)} of {size(limits.least_free_bytes)} to keep free",
                fix="new tasks wait until there is room, after the pools were emptied",
            )
        )
    return findings
