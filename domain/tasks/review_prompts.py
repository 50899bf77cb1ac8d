"""What a reviewer of a task's work is told."""

from domain.agents.agents import Prompt
from domain.core.text import bullets
from domain.tasks.reviewers import due_review, earlier_review, next_review_prompt
from domain.tasks.state import TaskState

MAX_FILES = 100


def review_prompt(known: Prompt, state: TaskState) -> Prompt:
    """Return the prompt of the reviewer's turn; `known` has the fields that all prompts of a task have.

    The diff is in the journal; the prompt names it.
    """
    step, snapshot, reviewing = due_review(state), state.snapshot, state.reviewing
    earlier = earlier_review(state, step) if step else None
    results = state.attempt.steps if state.attempt else ()
    files = snapshot.files[:MAX_FILES] if snapshot else ()
    left = (snapshot.file_count if snapshot else 0) - len(files)
    lines = [f"- {file}" for file in files] + ([f"- and {left} more"] if left > 0 else [])
    fields = {
        **known.fields,
        "request": (step.prompt or "") if step else "",
        "report": state.report.summary if state.report else "",
        "passed": bullets(result.label for result in results if result.passed),
        "findings": bullets(finding.as_line for finding in earlier.findings) if earlier else "",
        "base": snapshot.base if snapshot else "",
        "commit": snapshot.commit if snapshot else "",
        "files": "\n".join(lines),
        "problem": reviewing.problem if reviewing else "",
    }
    diff = snapshot.diff_ref if snapshot else None
    told = {"name": next_review_prompt(state), "fields": fields}
    return known.model_copy(update={**told, "texts": {"diff": diff} if diff else {}})
