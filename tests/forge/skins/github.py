"""The double as GitHub: pull requests and commits over REST."""

from typing import Any

from tests.forge.routing import Answered, Asked, RefusedError, Router, paged
from tests.forge.skins.common import Skin, stamp
from tests.forge.skins.github_graph import Graph
from tests.forge.skins.github_issues import Issues
from tests.forge.things import Checked, Project, Pull, Somebody, now

_R = "/repos/{owner}/{repo}"
_P = f"{_R}/pulls/{{number}}"
_STATES = {"clean": "clean", "behind": "behind", "conflicts": "dirty", "blocked": "blocked"}
_CONCLUSIONS = {"passed": "success", "failed": "failure", "skipped": "skipped"}
_STATUSES = {"passed": "success", "failed": "failure", "pending": "pending", "skipped": "success"}
_WORDS = {"success": "passed", "failure": "failed", "error": "failed", "pending": "pending"}


class GitHub(Issues, Skin):
    """GitHub's REST API."""

    def routes(self) -> Router:
        router = Router(self.root)
        graph = Graph(self)
        lines = {
            f"GET {_R}/pulls": self.list_pulls,
            f"POST {_R}/pulls": self.make_pull,
            f"GET {_P}": self.get_pull,
            f"PATCH {_P}": self.edit_pull,
            f"GET {_P}/reviews": self.list_reviews,
            f"POST {_P}/comments/{{comment}}/replies": self.make_reply,
            f"PUT {_P}/merge": self.make_merge,
            f"GET {_R}/commits/{{sha}}/check-runs": self.list_runs,
            f"GET {_R}/commits/{{sha}}/status": self.get_status,
            f"POST {_R}/statuses/{{sha}}": self.make_status,
            f"GET {_R}/actions/jobs/{{job}}/logs": self.get_log,
            "GET /blobs/{job}": self.get_blob,
            f"GET {_R}/git/ref/heads/{{branch}}": self.get_ref,
            f"DELETE {_R}/git/refs/heads/{{branch}}": self.delete_ref,
            "GET /user": lambda _: Answered(200, self.sender(self.world.me), self.scopes()),
            "POST /graphql": graph.answer,
        }
        for line, handler in {**lines, **self.issue_routes()}.items():
            router.add(line, handler)
        return router

    def scopes(self) -> dict[str, str]:
        return {"X-OAuth-Scopes": "repo"}

    def sender(self, who: Somebody) -> dict[str, Any]:
        kind = "Bot" if who.is_bot else "User"
        return {"id": who.id, "login": who.login, "type": kind, "node_id": f"U{who.id}"}

    def shown(self, pull: Pull) -> dict[str, Any]:
        url = f"https://{self.host}/{pull.project.path}/pull/{pull.number}"
        base = pull.project.branches.get(pull.base, "")
        is_auto = pull.will_merge_itself and not pull.project.has_queue
        return {
            "id": pull.id,
            "node_id": f"PR_{pull.id}",
            "number": pull.number,
            "html_url": url,
            "title": pull.title,
            "body": pull.body,
            "state": "open" if pull.state == "open" else "closed",
            "merged_at": stamp(now()) if pull.state == "merged" else None,
            "merge_commit_sha": pull.merge_commit or None,
            "draft": pull.is_draft,
            "locked": pull.is_locked,
            "user": self.sender(pull.author),
            "auto_merge": {"merge_method": pull.auto_method} if is_auto else None,
            "head": self._end(pull.head_project, pull.head, pull.commit),
            "base": self._end(pull.project, pull.base, base),
        }

    def _end(self, project: Project, branch: str, commit: str) -> dict[str, Any]:
        owner = project.path.split("/")[0]
        repo = {"id": project.id, "full_name": project.path}
        return {"label": f"{owner}:{branch}", "ref": branch, "sha": commit, "repo": repo}

    def shown_whole(self, pull: Pull) -> dict[str, Any]:
        can = {"clean": True, "behind": True, "blocked": True, "conflicts": False}
        state = "draft" if pull.is_draft else _STATES.get(pull.mergeability, "unknown")
        return {
            **self.shown(pull),
            "merged": pull.state == "merged",
            "mergeable": can.get(pull.mergeability),
            "mergeable_state": state,
        }

    def list_pulls(self, asked: Asked, owner: str, repo: str) -> Answered:
        self.project(f"{owner}/{repo}")
        query = asked.query
        found = [
            pull
            for pull in self.world.pulls.values()
            if pull.project.path == f"{owner}/{repo}"
            and query.get("state", "open") in {"all", "open" if pull.state == "open" else "closed"}
            and query.get("head") in {None, f"{pull.head_project.path.split('/')[0]}:{pull.head}"}
            and query.get("base") in {None, pull.base}
        ]
        return paged(asked, [self.shown(pull) for pull in found], f"http://{self.host}")

    def make_pull(self, asked: Asked, owner: str, repo: str) -> Answered:
        body, path = asked.body, f"{owner}/{repo}"
        named, _, branch = body["head"].rpartition(":")
        source = self.project(path)
        if named and named != owner:
            forks = [p for p in self.world.projects.values() if p.fork_of == path]
            source = next((p for p in forks if p.path.split("/")[0] == named), source)
        if self.open_of(path, source.path, branch, body["base"]):
            words = f"A pull request already exists for {named or owner}:{branch}."
            error = {"resource": "PullRequest", "code": "custom", "message": words}
            return Answered(422, {"message": "Validation Failed", "errors": [error]})
        pull = self.open(path, (source, branch), {"body": "", **body})
        return Answered(201, self.shown_whole(pull))

    def get_pull(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        return Answered(200, self.shown_whole(self.pull(f"{owner}/{repo}", number)))

    def edit_pull(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number, writes=True)
        self.edited(pull, asked.body)
        return Answered(200, self.shown_whole(pull))

    def list_reviews(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        reviews = [
            {
                "id": review.id,
                "user": self.sender(review.author),
                "state": review.state.upper(),
                "body": review.body,
                "commit_id": review.commit,
                "submitted_at": stamp(review.at),
            }
            for review in self.pull(f"{owner}/{repo}", number).reviews
        ]
        return paged(asked, reviews, f"http://{self.host}")

    def make_reply(
        self, asked: Asked, owner: str, repo: str, number: str, comment: str
    ) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number, writes=True)
        for thread in pull.threads:
            if thread.comments[0].id == int(comment):
                return Answered(201, self.said(self.reply(thread, asked.body["body"])))
        raise RefusedError(404, "Not Found")

    def make_merge(self, asked: Asked, owner: str, repo: str, number: str) -> Answered:
        pull = self.pull(f"{owner}/{repo}", number, writes=True)
        body = asked.body
        made = self.merge(pull, body["sha"], body.get("merge_method", "merge"), (405, 409))
        return Answered(200, {"sha": made, "merged": True, "message": "merged"})

    def list_runs(self, asked: Asked, owner: str, repo: str, sha: str) -> Answered:
        self.project(f"{owner}/{repo}")
        runs = [self._run(c) for c in self.world.checks.get(sha, {}).values() if not c.is_status]
        page = paged(asked, runs, f"http://{self.host}")
        return Answered(200, {"total_count": len(runs), "check_runs": page.content}, page.headers)

    def _run(self, check: Checked) -> dict[str, Any]:
        return {
            "id": check.id,
            "name": check.name,
            "status": "in_progress" if check.state == "pending" else "completed",
            "conclusion": _CONCLUSIONS.get(check.state),
            "html_url": f"https://{self.host}/runs/{check.id}",
            "output": {"title": "", "summary": check.summary, "text": ""},
            "app": {"slug": "github-actions" if check.log else "other"},
        }

    def get_status(self, asked: Asked, owner: str, repo: str, sha: str) -> Answered:
        self.project(f"{owner}/{repo}")
        statuses = [
            {
                "id": check.id,
                "context": check.name,
                "state": _STATUSES[check.state],
                "description": check.summary,
                "target_url": check.url or None,
            }
            for check in self.world.checks.get(sha, {}).values()
            if check.is_status
        ]
        page = paged(asked, statuses, f"http://{self.host}")
        content = {"sha": sha, "total_count": len(statuses), "statuses": page.content}
        return Answered(200, {**content, "state": "pending"}, page.headers)

    def make_status(self, asked: Asked, owner: str, repo: str, sha: str) -> Answered:
        self.project(f"{owner}/{repo}", writes=True)
        body = asked.body
        check = self.world.set_check(sha, body["context"], _WORDS[body["state"]])
        check.is_status, check.url = True, body.get("target_url", "")
        check.summary = body.get("description", "")
        return Answered(201, {"id": check.id, "context": check.name, "state": body["state"]})

    def get_log(self, asked: Asked, owner: str, repo: str, job: str) -> Answered:
        self.project(f"{owner}/{repo}")
        return Answered(302, "", {"Location": f"http://{self.host}/blobs/{job}"})

    def get_blob(self, asked: Asked, job: str) -> Answered:
        for checks in self.world.checks.values():
            for check in checks.values():
                if check.id == int(job) and check.log:
                    return Answered(200, check.log, {"Content-Type": "text/plain"})
        raise RefusedError(404, "Not Found")

    def get_ref(self, asked: Asked, owner: str, repo: str, branch: str) -> Answered:
        commit = self.project(f"{owner}/{repo}").branches.get(branch)
        if commit is None:
            raise RefusedError(404, "Not Found")
        return Answered(200, {"ref": f"refs/heads/{branch}", "object": {"sha": commit}})

    def delete_ref(self, asked: Asked, owner: str, repo: str, branch: str) -> Answered:
        project = self.project(f"{owner}/{repo}", writes=True)
        if project.branches.pop(branch, None) is None:
            raise RefusedError(422, "Reference does not exist")
        return Answered(204)
