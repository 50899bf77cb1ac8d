"""What a receipt is for the head of a pull request: valid while the head has the tree that it is of, else void."""

from domain.evidence.receipt import Statement
from domain.evidence.words import SHORT, verdict_of
from domain.forges.pull_requests import CheckState, CommitStatus
from domain.publications.calls import RECEIPT_CONTEXT
from domain.publications.head_receipts import HeadReceipt


def standing_of(statement: Statement, commit: str, tree: str | None) -> HeadReceipt:
    """Return how a receipt stands for a commit: by its tree, which None says is not known."""
    if commit != statement.commit and tree != statement.tree:
        words = f"Void: this is not the tree {statement.tree[:SHORT]} that the receipt is of"
        return HeadReceipt(commit=commit, is_void=True, words=words)
    receipt = statement.predicate
    return HeadReceipt(
        commit=commit, is_verified=receipt.is_tree_verified, words=verdict_of(receipt)
    )


def status_of(statement: Statement, standing: HeadReceipt) -> CommitStatus:
    """Return the status of a head commit. A tree on which nothing ran is not called verified."""
    steps = statement.predicate.steps
    is_refuted = any(step.is_required and not step.is_passed for step in steps)
    bad = CheckState.FAILED if standing.is_void or is_refuted else CheckState.SKIPPED
    state = CheckState.PASSED if standing.is_verified else bad
    return CommitStatus(context=RECEIPT_CONTEXT, state=state, description=standing.words)
