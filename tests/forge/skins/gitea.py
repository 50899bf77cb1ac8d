"""The double as Gitea or Forgejo: what differs from GitHub."""

from typing import Any

from tests.forge.routing import Answered, Asked, RefusedError, Router, paged
from tests.forge.skins.common import stamp
from tests.forge.skins.github import GitHub
from tests.forge.things import Checked, Placed, Pull, Reviewed, Somebody, Words, now

_R = "/repos/{owner}/{repo}"
_P = f"{_R}/pulls/{{number}}"
_REVIEWS = {"approved": "APPROVED", "changes_requested": "REQUEST_CHANGES", "commented": "COMMENT"}
_STATUSES = {"passed": "success", "failed": "failure", "pending": "pending", "skipped": "skipped"}


class Gitea(GitHub):
    """Gitea's REST API."""

    root = "/api/v1"
    has_replies = True
    """Gitea from 1.27 on answers threads; Forgejo does not."""
    has_logs = True
    """Gitea gives out logs of jobs; Forgejo does not."""

    def routes(self) -> Router:
        router = Router(self.root)
        lines = {
            f"GET {_R}/pulls": self.list_pulls,
            f"POST {_R}/pulls": self.make_pull,
            f"GET {_P}": self.get_pull,
            f"PATCH {_P}": self.edit_pull,
            f"GET {_P}/reviews": self.list_reviews,
            f"GET {_P}/reviews/{{review}}/comments": self.list_review_comments,
            f"POST {_P}/comments/{{comment}}/replies": self.make_reply,
            f"POST {_R}/pulls/comments/{{comment}}/resolve": self.resolve,
            f"POST {_P}/merge": self.make_merge,
            f"DELETE {_P}/merge": self.cancel,
            f"GET {_R}/issues/{{number}}/timeline": self.list_timeline,
            f"GET {_R}/commits/{{sha}}/status": self.get_status,
            f"POST {_R}/statuses/{{sha}}": self.make_status,
            f"POST {_P}/reviews": self.make_review,
            f"GET {_R}/actions/jobs/{{job}}": self.get_job,
            f"GET {_R}/actions/jobs/{{job}}/logs": self.get_job_log,
            f"GET {_R}/branches/{{branch}}": self.get_branch,
            f"DELETE {_R}/branches/{{branch}}": self.delete_branch,
            "GET /user": lambda _: Answered(200, self.sender(self.world.me)),
        }
        for line, handler in {**lines, **self.issue_routes()}.items():
            router.add(line, handler)
        return router

    def sender(self, who: Somebody) -> dict[str, Any]:
        return {"id": who.id, "login": who.login}

    def shown_whole(self, pull: Pull) -> dict[str, Any]:
        shown = self.shown(pull)
        del shown["auto_merge"], shown["locked"], shown["node_id"]
        merged = pull.state == "merged"
        return {
            **shown,
            "merged": merged,
            "mergeable": pull.state == "open"
            and pull.mergeability not in {"conflicts", "unknown"}
            and not pull.is_draft,
            "is_locked": pull.is_locked,
            "merge_base": shown["base"]["sha"],
        }

    def list_pulls(self, asked: Asked, owner: str, repo: str) -> Answered:
        self.project(f"{owner}/{repo}")
        wanted = asked.query.get("state", "open")
        found = [
            self.shown_whole(pull)
            for pull in self.world.pulls.values()
            if pull.project.path == f"{owner}/{repo}"
            and wanted in {"all", "open" if pull.state == "open" else "closed"}
        ]
        return paged(asked, found, f"http://{self.host}")

    def make_pull(self, asked: Asked, owner: str, repo: str) -> Answered:
        answered = super().make_pull(asked, owner, repo)
        if answered.status == 422:
            words = "pull request already exists for these targets"
            return Answered(409, {"message": words, "url": ""})
        return answered

    def edit_pull(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        return Answered(201, super().edit_pull(asked, owner, repo, number).content)

    def make_status(self, asked: Asked, owner: str, repo: str, sha: str) -> Answered:
        made = super().make_status(asked, owner, repo, sha).content
        return Answered(
            201, {"id": made["id"], "context": made["context"], "status": made["state"]}
        )

    def list_reviews(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number)
        return paged(asked, [self._review(pull, r) for r in pull.reviews], f"http://{self.host}")

    def _review(self, pull: Pull, review: Reviewed) -> dict[str, Any]:
        return {
            "id": review.id,
            "user": self.sender(review.author),
            "state": _REVIEWS[review.state],
            "body": review.body,
            "commit_id": review.commit,
            "submitted_at": stamp(review.at),
            "dismissed": False,
            "official": True,
            "comments_count": sum(len(self._of(pull, t, review.id)) for t in pull.threads),
        }

    def _of(self, pull: Pull, thread: Placed, review: int) -> list[Words]:
        """Return the comments of a thread; Gitea keeps all of a thread with the first one's review."""
        return thread.comments if thread.review == review else []

    def list_review_comments(
        self, asked: Asked, owner: str, repo: str, number: str, review: str
    ) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number)
        comments = [
            self._placed(thread, words)
            for thread in pull.threads
            for words in self._of(pull, thread, int(review))
        ]
        return Answered(200, comments)

    def _placed(self, thread: Placed, words: Words) -> dict[str, Any]:
        resolver = self.sender(self.world.me) if thread.is_resolved else None
        where = {"path": thread.path, "position": thread.line, "original_position": 0}
        return {**self.said(words), **where, "resolver": resolver}

    def make_reply(
        self, asked: Asked, owner: str, repo: str, number: str, comment: str
    ) -> Answered:
        if not self.has_replies:
            raise RefusedError(404, "The target couldn't be found.")
        return super().make_reply(asked, owner, repo, number, comment)

    def make_review(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        """Review as the token's account; comments on a line that has a thread go into it."""
        pull, body = self.pull(f"{owner}/{repo}", number, writes=True), asked.body
        me = self.world.me
        review = Reviewed(next(self.world.ids), me, "commented", "", pull.commit, now())
        pull.reviews.append(review)
        for each in body["comments"]:
            place = (each["path"], each["new_position"])
            thread = next(t for t in pull.threads if (t.path, t.line) == place)
            self.reply(thread, each["body"])
        return Answered(200, self._review(pull, review))

    def get_job(self, asked: Asked, owner: str, repo: str, job: str) -> Answered:
        self.project(f"{owner}/{repo}")
        check = self._job(job)
        return Answered(
            200,
            {
                "id": check.id,
                "name": check.name,
                "html_url": f"https://{self.host}{self._link(check)}",
            },
        )

    def get_job_log(self, asked: Asked, owner: str, repo: str, job: str) -> Answered:
        self.project(f"{owner}/{repo}")
        return Answered(200, self._job(job).log, {"Content-Type": "text/plain"})

    def _job(self, job: str) -> Checked:
        for checks in self.world.checks.values():
            for check in checks.values():
                if self.has_logs and check.id == int(job) and check.log:
                    return check
        raise RefusedError(404, "Not Found")

    def _link(self, check: Checked) -> str:
        """Return where Actions show a job: in a status it is relative."""
        return f"/octo/work/actions/runs/7/jobs/{check.id}"

    def resolve(self, asked: Asked, owner: str, repo: str, comment: str) -> Answered:
        self.project(f"{owner}/{repo}", writes=True)
        for pull in self.world.pulls.values():
            for thread in pull.threads:
                if int(comment) in {words.id for words in thread.comments}:
                    thread.is_resolved = True
                    return Answered(204)
        raise RefusedError(404, "Not Found")

    def make_merge(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull, body = self.pull(f"{owner}/{repo}", number, writes=True), asked.body
        if body.get("merge_when_checks_succeed") and self.world.is_waiting(pull):
            if body["head_commit_id"] != pull.commit:
                raise RefusedError(409, "head out of date")
            if pull.will_merge_itself:
                raise RefusedError(409, "The scheduled auto merge already exists")
            pull.will_merge_itself, pull.auto_method = True, body["Do"]
            return Answered(201)
        self.merge(pull, body["head_commit_id"], body["Do"], (405, 409))
        return Answered(200)

    def cancel(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number, writes=True)
        if not pull.will_merge_itself:
            raise RefusedError(404, "The scheduled auto merge does not exist")
        pull.will_merge_itself = False
        return Answered(204)

    def list_comments(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        comments = self.subject(f"{owner}/{repo}", number).comments
        return Answered(200, [self.said(each) for each in comments])

    def list_timeline(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number)
        said = [{**self.said(words), "type": "comment"} for words in pull.comments]
        mark = {"id": 1, "type": "pull_scheduled_merge", "created_at": stamp(now())}
        return paged(asked, [*said, *([mark] if pull.will_merge_itself else [])], "")

    def get_status(self, asked: Asked, owner: str, repo: str, sha: str) -> Answered:
        self.project(f"{owner}/{repo}")
        statuses = [
            {
                "id": check.id,
                "context": check.name,
                "status": _STATUSES[check.state],
                "description": check.summary,
                "target_url": self._link(check) if check.log else check.url,
            }
            for check in self.world.checks.get(sha, {}).values()
        ]
        page = paged(asked, statuses, f"http://{self.host}")
        content = {"sha": sha, "state": "pending", "statuses": page.content}
        return Answered(200, {**content, "total_count": len(statuses)}, page.headers)

    def get_branch(self, asked: Asked, owner: str, repo: str, branch: str) -> Answered:
        project = self.project(f"{owner}/{repo}")
        commit = project.branches.get(branch)
        if commit is None:
            raise RefusedError(404, "Not Found")
        asks = {
            "protected": branch in project.protected or branch in project.needs,
            "user_can_merge": branch not in project.protected,
            "required_approvals": project.needs.get(branch, (0, ""))[0],
            "enable_status_check": branch in project.needs,
            "status_check_contexts": [each for _, each in project.needs.values() if each],
        }
        return Answered(200, {"name": branch, "commit": {"id": commit}, **asks})

    def delete_branch(self, asked: Asked, owner: str, repo: str, branch: str) -> Answered:
        if branch in self.project(f"{owner}/{repo}").protected:
            raise RefusedError(403, "branch protected")
        try:
            return self.delete_ref(asked, owner, repo, branch)
        except RefusedError as refused:
            status = 404 if refused.status == 422 else refused.status
            raise RefusedError(status, refused.message) from refused
