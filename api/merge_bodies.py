"""The body of a merge into the branch that a thread began on."""

from api.bodies import CommandBody, ShownCommit


class MergeBody(CommandBody):
    """What was shown: where the thread's branch was, and the branch that it is merged into."""

    commit: ShownCommit
    target_commit: ShownCommit
