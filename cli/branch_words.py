"""What became of a thread's branch, in words."""

from rich.text import Text

from cli.console import plain, quoted
from domain.threads.landing.events import BranchMerged, MergeRequested
from domain.threads.publishing.events import BranchPublished, PullRequestOpened

Told = BranchPublished | PullRequestOpened | MergeRequested | BranchMerged


def told(body: Told) -> Text:
    """Say what happened to the branch."""
    match body:
        case BranchPublished(pushed=pushed):
            line = f"{pushed.branch} was pushed to {pushed.remote} ({pushed.address})"
            return plain(line, "green")
        case PullRequestOpened(pull_request=opened):
            return plain(f"pull request {opened.number}: {opened.url}", "green")
        case MergeRequested():
            by = f" by {body.by}" if body.by else ""
            return plain(f"the branch is being merged into {body.target}{by}")
        case BranchMerged():
            if body.failure:
                return quoted(f"{body.branch} was not merged: {body.failure}", "red")
            line = f"{body.branch} is merged into {body.target}: {body.merge_commit[:12]}"
            return plain(line, "green")
