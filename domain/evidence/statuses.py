"""What a receipt is for the head of a pull request: valid while the head has the tree that it is of, else void."""

from domain.evidence.receipt import Statement
from domain.evidence.words import SHORT, verdict_of
from domain.forges.pull_requests import CheckState, CommitStatus
from domain.publications.calls import RECEIPT_CONTEXT


def is_valid_for(statement: Statement, commit: str, tree: str | None) -> bool:
    """Tell whether a receipt is of a commit: by its tree, which None says is not known."""
    return commit == statement.commit or tree == statement.tree


def status_of(statement: Statement, *, is_valid: bool) -> CommitStatus:
    """Return the status of a head commit. A tree on which nothing ran is not called verified."""
    if not is_valid:
        words = f"Void: this is not the tree {statement.tree[:SHORT]} that the receipt is of"
        return CommitStatus(context=RECEIPT_CONTEXT, state=CheckState.FAILED, description=words)
    receipt = statement.predicate
    is_refuted = any(step.is_required and not step.is_passed for step in receipt.steps)
    bad = CheckState.FAILED if is_refuted else CheckState.SKIPPED
    state = CheckState.PASSED if receipt.is_tree_verified else bad
    return CommitStatus(context=RECEIPT_CONTEXT, state=state, description=verdict_of(receipt))
