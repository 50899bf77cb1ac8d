"""A receipt in words: lines for a terminal, and a section of a pull request's body."""

from collections.abc import Iterator

from domain.core.markdown import code, inline
from domain.core.text import counted, duration
from domain.evidence.receipt import ProvenApproval, ProvenStep, Receipt, Stage, Statement

SHORT = 12
MAX_ROWS = 40
"""Rows of a table in a pull request; the file has all."""

_MILLIONTHS = 1_000_000


def lines_of(statement: Statement) -> Iterator[str]:
    """Yield what a receipt says, a sentence a line; none has a line break of ours."""
    receipt = statement.predicate
    yield f"{receipt.thread}: {receipt.title}"
    yield f"Tree {statement.tree}, published as commit {statement.commit} at {receipt.published_at}."
    yield verdict_of(receipt)
    if (plan := receipt.plan) is not None:
        by = ", ".join(plan.approved_by) or "policy"
        more = f", amended {counted(plan.amendments, 'time')}" if plan.amendments else ""
        yield f"Plan revision {plan.revision} ({plan.content_sha256[:SHORT]}) approved by {by}{more}."
    for step in receipt.steps:
        yield f"  {_place(step)}: {_outcome(step)}: {step.command or step.label or step.step}"
        for picture in step.pictures:
            yield f"    picture {picture.name}: SHA-256 {picture.sha256}"
    for approval in receipt.approvals:
        yield f"  {_decision(approval)}"
    for agent in receipt.agents:
        named = " ".join(filter(None, (agent.agent, agent.model)))
        yield f"  {named}: {counted(agent.turns, 'turn')}, {agent.input_tokens + agent.output_tokens} tokens"
    if costs := costs_of(receipt):
        yield f"Cost, as agents told: {costs}."


def verdict_of(receipt: Receipt) -> str:
    """Return what was verified, in a sentence."""
    failed = sum(step.is_required and not step.is_passed for step in receipt.steps)
    ran = sum(step.is_executed for step in receipt.steps)
    if receipt.is_tree_verified:
        return f"Verified: {counted(ran, 'step')} ran, and those on exactly this tree passed."
    if failed:
        return f"Not verified: {counted(failed, 'required step')} did not pass."
    return "Not verified: no verification step ran on exactly this tree."


def costs_of(receipt: Receipt) -> str:
    """Return the costs, by currency."""
    costs = sorted(receipt.costs_millionths.items())
    return ", ".join(f"{cost / _MILLIONTHS:.2f} {name}".strip() for name, cost in costs)


def sections_of(statement: Statement, fingerprint: str) -> tuple[str, str]:
    """Return a receipt as a section in Markdown, and as a short one; foreign text in both is escaped."""
    receipt = statement.predicate
    head = (
        "## Receipt",
        f"{inline(verdict_of(receipt))} Tree {code(statement.tree)}, commit {code(statement.commit[:SHORT])}.",
    )
    parts = (
        "\n".join(f"- {line}" for line in _facts(receipt)),
        _steps_table(receipt),
        _pictures(receipt),
    )
    end = (
        f"Signed with the key {code(fingerprint[:16])}; the signed file is in the git note "
        f"{code('refs/notes/treadle')} of the commit, and `treadle verify` checks it."
    )
    whole, short = (*head, *parts, end), (*head, f"There is no room here for the rest. {end}")
    return "\n\n".join(filter(None, whole)), "\n\n".join(short)


def void_section_of(tree: str, commit: str, since: str) -> str:
    """Return the section of a receipt that is void since a push changed the tree."""
    return (
        f"## Receipt\n\n**Void since {since}**: commit {code(commit[:SHORT])} has another tree than "
        f"{code(tree)}, which the receipt was of. There is no receipt for what this pull request has now."
    )


def _facts(receipt: Receipt) -> Iterator[str]:
    if (plan := receipt.plan) is not None:
        by = ", ".join(inline(name) for name in plan.approved_by) or "policy"
        yield f"plan revision {plan.revision}, {code(plan.content_sha256[:SHORT])}, approved by {by} at {plan.approved_at}"
    for approval in receipt.approvals[-MAX_ROWS:]:
        if approval.subject != "plan":
            yield inline(_decision(approval))
    for agent in receipt.agents:
        yield f"{code(' '.join(filter(None, (agent.agent, agent.model))))}: {counted(agent.turns, 'turn')}"
    if costs := costs_of(receipt):
        yield f"cost, as agents told: {code(costs)}"


def _steps_table(receipt: Receipt) -> str:
    if not receipt.steps:
        return ""
    shown = receipt.steps[-MAX_ROWS:]
    rows = "\n".join(
        f"| {inline(_place(step))} | {_cell(step)} | {_outcome(step)} | {duration(step.duration_ms)} | "
        f"{code(step.output_sha256[:SHORT])} |"
        for step in shown
    )
    left = len(receipt.steps) - len(shown)
    more = f"\n\n{counted(left, 'earlier step')} in the signed file." if left else ""
    head = "| task | step | outcome | duration | SHA-256 of output |\n|---|---|---|---|---|\n"
    return head + rows + more


def _pictures(receipt: Receipt) -> str:
    """Return the pictures that steps kept, by digest: a forge cannot reach the pictures themselves."""
    rows = [
        f"- picture {code(picture.name, 120)} of {inline(_place(step))}: SHA-256 {code(picture.sha256)}"
        for step in receipt.steps
        for picture in step.pictures
    ]
    left = len(rows) - MAX_ROWS
    more = [f"- {counted(left, 'more picture')} in the signed file"] if left > 0 else []
    return "\n".join([*rows[:MAX_ROWS], *more])


def _cell(step: ProvenStep) -> str:
    return code(step.command or step.label or step.step, 120).replace("|", "\\|")


def _place(step: ProvenStep) -> str:
    return f"{step.task} (merge)" if step.stage is Stage.MERGE else step.task


def _outcome(step: ProvenStep) -> str:
    word = "passed" if step.is_passed else "failed" if step.is_executed else "did not run"
    return word if step.exit_code is None else f"{word} (exit {step.exit_code})"


def _decision(approval: ProvenApproval) -> str:
    word = {"approve": "approved", "reject": "rejected"}.get(approval.choice, approval.choice)
    by = ", ".join(approval.by) or approval.decider
    of = f" of {approval.task}" if approval.task else ""
    what = approval.subject.replace("_", " ")
    return f"{what}{of} {word} by {by} ({approval.decider}) at {approval.at}"
