"""The double as GitLab: projects, branches, statuses of commits, and logs of jobs."""

from typing import Any

from tests.forge.routing import Answered, Asked, Handler, RefusedError, paged
from tests.forge.skins.common import Skin
from tests.forge.things import Checked, Project, Pull

_P = "/projects/{project}"
_STATUSES = {"passed": "success", "failed": "failed", "pending": "running", "skipped": "skipped"}
_WORDS = {"success": "passed", "failed": "failed", "canceled": "failed", "skipped": "skipped"}


class Commits(Skin):
    """Projects and commits."""

    def project(self, path: str, *, writes: bool = False) -> Project:
        """Return a project by its path, or by its number."""
        if path.isdecimal():
            known = self.world.projects.values()
            path = next((each.path for each in known if each.id == int(path)), path)
        return super().project(path, writes=writes)

    @property
    def address(self) -> str:
        return f"http://{self.host}"

    def commit_routes(self) -> dict[str, Handler]:
        return {
            f"GET {_P}": self.get_project,
            f"GET {_P}/repository/commits/{{sha}}/statuses": self.list_statuses,
            f"POST {_P}/statuses/{{sha}}": self.make_status,
            f"GET {_P}/repository/commits/{{sha}}": self.get_commit,
            f"GET {_P}/pipelines/{{pipeline}}/jobs": self.list_jobs,
            f"GET {_P}/jobs/{{job}}/trace": self.get_trace,
            f"GET {_P}/repository/branches/{{branch}}": self.get_branch,
            f"DELETE {_P}/repository/branches/{{branch}}": self.delete_branch,
        }

    def get_project(self, asked: Asked, project: str) -> Answered:
        found = self.project(project)
        methods = {"rebase": "ff", "squash": "merge"}
        return Answered(
            200,
            {
                "id": found.id,
                "path_with_namespace": found.path,
                "archived": found.is_archived,
                "merge_method": methods.get(found.merge_method, found.merge_method),
            },
        )

    def list_statuses(self, asked: Asked, project: str, sha: str) -> Answered:
        self.project(project)
        checks = self.world.checks.get(sha, {}).values()
        return paged(asked, [self._status(each) for each in checks], self.address)

    def _status(self, check: Checked) -> dict[str, Any]:
        return {
            "id": check.id,
            "name": check.name,
            "status": _STATUSES[check.state],
            "description": check.summary or None,
            "target_url": check.url or f"https://{self.host}/jobs/{check.id}",
            "allow_failure": False,
        }

    def pipeline(self, pull: Pull) -> dict[str, Any] | None:
        """Return a merge request's pipeline, which runs in the target's project."""
        sha = pull.merged_result or pull.commit
        if not any(not each.is_status for each in self.world.checks.get(sha, {}).values()):
            return None
        return {"id": pull.id, "project_id": pull.project.id, "sha": sha, "status": "running"}

    def get_commit(self, asked: Asked, project: str, sha: str) -> Answered:
        self.project(project)
        for pull in self.world.pulls.values():
            if sha == pull.merged_result:
                base = pull.project.branches[pull.base]
                return Answered(200, {"id": sha, "parent_ids": [base, pull.result_of]})
        raise RefusedError(404, "Commit Not Found")

    def list_jobs(self, asked: Asked, project: str, pipeline: str) -> Answered:
        self.project(project)
        pull = next(p for p in self.world.pulls.values() if p.id == int(pipeline))
        checks = self.world.checks[pull.merged_result or pull.commit].values()
        found = [self._job(each) for each in checks if not each.is_status]
        return paged(asked, found, self.address)

    def _job(self, check: Checked) -> dict[str, Any]:
        page = f"https://{self.host}/jobs/{check.id}"
        state = {"status": _STATUSES[check.state], "allow_failure": False}
        return {"id": check.id, "name": check.name, "web_url": page, **state}

    def make_status(self, asked: Asked, project: str, sha: str) -> Answered:
        self.project(project, writes=True)
        body = asked.body
        old = self.world.checks.get(sha, {}).get(body["name"])
        state = _WORDS.get(body["state"], "pending")
        if old and old.state == state == "pending":
            raise RefusedError(400, "Cannot transition status via :run from :running")
        check = self.world.set_check(sha, body["name"], state)
        check.is_status, check.url = True, body.get("target_url", "")
        check.summary = body.get("description", "")
        return Answered(201, self._status(check))

    def get_trace(self, asked: Asked, project: str, job: str) -> Answered:
        self.project(project)
        for checks in self.world.checks.values():
            for check in checks.values():
                if check.id == int(job) and not check.is_status:
                    return Answered(200, check.log or "\n", {"Content-Type": "text/plain"})
        raise RefusedError(404, "Not Found")

    def get_branch(self, asked: Asked, project: str, branch: str) -> Answered:
        commit = self.project(project).branches.get(branch)
        if commit is None:
            raise RefusedError(404, "Branch Not Found")
        return Answered(200, {"name": branch, "commit": {"id": commit}})

    def delete_branch(self, asked: Asked, project: str, branch: str) -> Answered:
        found = self.project(project, writes=True)
        if branch in found.protected:
            raise RefusedError(403, "Protected branch cannot be removed")
        if found.branches.pop(branch, None) is None:
            raise RefusedError(404, "Branch Not Found")
        return Answered(204)
