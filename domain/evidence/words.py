"""A receipt in words: lines for a terminal, and a section of a pull request's body."""

import re
from collections.abc import Iterator

from domain.core.amounts import dollars
from domain.core.markdown import code, inline
from domain.core.text import counted, duration
from domain.evidence.receipt import ProvenApproval, ProvenStep, Receipt, Stage, Statement

SHORT = 12
MAX_ROWS = 40
"""Rows of a table in a pull request; the file has all."""
MAX_OPEN_ROWS = 10
"""Rows that are shown at once; more are folded."""

_MILLIONTHS = 1_000_000


def lines_of(statement: Statement) -> Iterator[str]:
    """Yield what a receipt says, a sentence a line; none has a line break of ours."""
    receipt = statement.predicate
    yield f"{receipt.thread}: {receipt.title}".removesuffix(": ")
    yield f"Tree {statement.tree}, published as commit {statement.commit} at {receipt.published_at}."
    yield verdict_of(receipt)
    if (plan := receipt.plan) is not None:
        by = ", ".join(plan.approved_by) or "policy"
        more = f", amended {counted(plan.amendments, 'time')}" if plan.amendments else ""
        yield f"Plan revision {plan.revision} ({plan.content_sha256[:SHORT]}) approved by {by}{more}."
    for step in receipt.steps:
        output = f", output {step.output_sha256[:SHORT]}" if step.output_sha256 else ""
        took = f"{_outcome(step)}, {duration(step.duration_ms)}{output}"
        yield f"  {_place(step)}: {took}: {step.command or step.label or step.step}"
        for picture in step.pictures:
            yield f"    picture {picture.name}: {picture.size_bytes} bytes, SHA-256 {picture.sha256}"
    for approval in receipt.approvals:
        yield f"  {_decision(approval)}"
    for agent in receipt.agents:
        named = " ".join(filter(None, (agent.agent, agent.model)))
        yield f"  {named}: {counted(agent.turns, 'turn')}, {agent.input_tokens + agent.output_tokens} tokens"
    if costs := costs_of(receipt):
        yield f"Cost: {costs}."


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
    """Return the costs: what agents reported by currency, then list prices, and what is not known."""
    told = sorted(receipt.costs_millionths.items())
    found = [
        f"{cost / _MILLIONTHS:.2f} {name} as reported".replace("  ", " ") for name, cost in told
    ]
    if receipt.priced_millionths:
        listed = dollars(receipt.priced_millionths)
        found.append(f"{listed} at list price ({receipt.prices or 'unnamed list'})")
    if receipt.included_turns:
        found.append(f"{counted(receipt.included_turns, 'turn')} included in a flat plan")
    if receipt.unknown_cost_turns:
        found.append(f"{counted(receipt.unknown_cost_turns, 'turn')} unknown")
    return ", ".join(found)


def sections_of(statement: Statement, fingerprint: str) -> tuple[str, str]:
    """Return a receipt as a section in Markdown, and as a short one; foreign text in both is escaped."""
    receipt = statement.predicate
    verdict, _, words = verdict_of(receipt).partition(":")
    head = (
        "## Receipt",
        f"**{verdict}:**{words}",
        f"- tree {code(statement.tree)}, published as commit {code(statement.commit[:SHORT])} "
        f"at {receipt.published_at}",
    )
    facts = "".join(f"\n- {line}" for line in _facts(receipt))
    tables = (_many_decisions(receipt), _steps_table(receipt), _pictures(receipt))
    end = (
        f"The signed file is the git note {code('refs/notes/treadle')} of this commit; `treadle verify` checks it. "
        f"Key: {code(fingerprint[:16])}."
    )
    short = (*head, f"There is no room here for the rest. {end}")
    whole = (*head[:-1], f"{head[-1]}{facts}", *tables, end)
    return "\n\n".join(filter(None, whole)), "\n\n".join(short)


def void_section_of(tree: str, commit: str, since: str) -> str:
    """Return the section of a receipt that is void since a push changed the tree."""
    return (
        f"## Receipt\n\n**Void since {since}**: {_void_words(tree, commit)}, which the receipt was of. There is no "
        "receipt for what this pull request has now."
    )


def is_void_in(body: str, tree: str, commit: str) -> bool:
    """Tell whether a body says already that the receipt of a tree is void since a commit, whatever the day."""
    return _void_words(tree, commit) in body


def _void_words(tree: str, commit: str) -> str:
    return f"commit {code(commit[:SHORT])} has another tree than {code(tree)}"


def _facts(receipt: Receipt) -> Iterator[str]:
    if (plan := receipt.plan) is not None:
        by = ", ".join(inline(name) for name in plan.approved_by) or "the policy"
        more = f", amended {counted(plan.amendments, 'time')} since" if plan.amendments else ""
        hashed = f"hash {code(plan.content_sha256[:SHORT])}, " if plan.content_sha256 else ""
        yield f"plan revision {plan.revision}, {hashed}approved by {by} at {plan.approved_at}{more}"
    for agent in receipt.agents[:MAX_ROWS]:
        named = code(" ".join(filter(None, (agent.agent, agent.model))))
        tokens = agent.input_tokens + agent.output_tokens
        took = f", {counted(tokens, 'token')}" if tokens else ""
        yield f"agent {named}: {counted(agent.turns, 'turn')}{took}"
    if costs := costs_of(receipt):
        yield f"cost: {code(costs)}"
    if len(decisions := _decisions(receipt)) <= MAX_OPEN_ROWS:
        yield from decisions


def _decisions(receipt: Receipt) -> list[str]:
    """Return the decisions, except the plan's approval."""
    plan = receipt.plan
    others = (
        each
        for each in receipt.approvals
        if plan is None or (each.subject, each.at) != ("plan", plan.approved_at)
    )
    return [inline(_decision(each)) for each in others]


def _many_decisions(receipt: Receipt) -> str:
    rows = [f"- {row}" for row in _decisions(receipt)]
    return _folded("decision", rows, "") if len(rows) > MAX_OPEN_ROWS else ""


def _steps_table(receipt: Receipt) -> str:
    rows = [
        f"| {_row(inline(_place(step)))} | {_row(code(step.command or step.label or step.step, 120))} | "
        f"{_outcome(step)} | {duration(step.duration_ms)} | {code(step.output_sha256[:SHORT])} |"
        for step in receipt.steps
    ]
    head = "| task | step | result | duration | SHA-256 of its output |\n|---|---|---|---|---|\n"
    return _folded("step", rows, head)


def _pictures(receipt: Receipt) -> str:
    """Return the pictures that steps kept, by digest: a forge cannot reach the pictures themselves."""
    rows = [
        f"- picture {code(picture.name, 120)} of {inline(_place(step))}: SHA-256 {code(picture.sha256)}"
        for step in receipt.steps
        for picture in step.pictures
    ]
    return _folded("picture", rows, "")


def _folded(what: str, rows: list[str], head: str) -> str:
    """Return the last rows below their head; many are folded, and those left out are counted."""
    shown = rows[-MAX_ROWS:]
    left = len(rows) - len(shown)
    more = f"\n\n{counted(left, f'earlier {what}')} in the signed file." if left else ""
    text = f"{head}{chr(10).join(shown)}{more}" if rows else ""
    if len(rows) <= MAX_OPEN_ROWS:
        return text
    return f"<details><summary>{counted(len(rows), what)}</summary>\n\n{text}\n\n</details>"


def _row(cell: str) -> str:
    """Return Markdown as a cell of a table, with each line between cells escaped once, in code too."""
    return re.sub(r"(?<!\\)((?:\\\\)*)\|", r"\1\\|", cell)


def _place(step: ProvenStep) -> str:
    return f"{step.task} (merge)" if step.stage is Stage.MERGE else step.task


def _outcome(step: ProvenStep) -> str:
    word = "passed" if step.is_passed else "failed" if step.is_executed else "did not run"
    return word if step.exit_code is None else f"{word} (exit {step.exit_code})"


def _decision(approval: ProvenApproval) -> str:
    word = {"approve": "approved", "reject": "rejected"}.get(approval.choice, approval.choice)
    people = [name for name in approval.by if name != approval.decider]
    by = ", ".join(people) or f"the {approval.decider}"
    kind = f" ({approval.decider})" if people and approval.decider != "person" else ""
    of = f" of {approval.task}" if approval.task else ""
    what = approval.subject.replace("_", " ")
    return f"{what}{of} {word} by {by}{kind} at {approval.at}"
