"""The double as GitLab: merge requests, discussions and approvals."""

from typing import Any

from tests.forge.routing import Answered, Asked, RefusedError, Router, paged
from tests.forge.skins.common import stamp
from tests.forge.skins.gitlab_commits import Commits
from tests.forge.skins.gitlab_issues import Issues
from tests.forge.things import Placed, Pull, Somebody, Words, now

_P = "/projects/{project}"
_M = f"{_P}/merge_requests/{{number}}"
_STATES = {
    "clean": "mergeable",
    "behind": "need_rebase",
    "conflicts": "conflict",
    "blocked": "not_approved",
    "unknown": "checking",
}


class GitLab(Issues, Commits):
    """GitLab's REST API."""

    root = "/api/v4"

    def routes(self) -> Router:
        router = Router(self.root)
        lines = {
            f"GET {_P}/merge_requests": self.list_pulls,
            f"POST {_P}/merge_requests": self.make_pull,
            f"GET {_M}": self.get_pull,
            f"PUT {_M}": self.edit_pull,
            f"GET {_M}/approvals": self.get_approvals,
            f"GET {_M}/reviewers": self.list_reviewers,
            f"GET {_M}/discussions": self.list_discussions,
            f"GET {_M}/discussions/{{thread}}": self.get_discussion,
            f"PUT {_M}/discussions/{{thread}}": self.resolve,
            f"POST {_M}/discussions/{{thread}}/notes": self.make_reply,
            f"GET {_M}/notes": self.list_notes,
            f"POST {_M}/notes": self.make_note,
            f"PUT {_M}/notes/{{note}}": self.edit_note,
            f"PUT {_M}/merge": self.make_merge,
            f"POST {_M}/cancel_merge_when_pipeline_succeeds": self.cancel,
            "GET /user": lambda _: Answered(200, self.sender(self.world.me)),
            "GET /personal_access_tokens/self": lambda _: Answered(200, {"scopes": ["api"]}),
        }
        for line, handler in {**lines, **self.issue_routes(), **self.commit_routes()}.items():
            router.add(line, handler)
        return router

    def sender(self, who: Somebody) -> dict[str, Any]:
        return {"id": who.id, "username": who.login, "name": who.login, "bot": who.is_bot}

    def answer_to(self, refused: RefusedError) -> Answered:
        return Answered(refused.status, {"message": f"{refused.status} {refused.message}"})

    def shown(self, pull: Pull) -> dict[str, Any]:
        merged = pull.state == "merged"
        state = {"open": "opened"}.get(pull.state, pull.state)
        is_squash = pull.merged_with == "squash"
        url = f"https://{self.host}/{pull.project.path}/-/merge_requests/{pull.number}"
        base = pull.project.branches.get(pull.base, "")
        detailed = "not_open" if pull.state != "open" else _STATES[pull.mergeability]
        return {
            "id": pull.id,
            "iid": pull.number,
            "project_id": pull.project.id,
            "source_project_id": pull.head_project.id,
            "target_project_id": pull.project.id,
            "web_url": url,
            "title": pull.title,
            "description": pull.body,
            "state": state,
            "author": self.sender(pull.author),
            "source_branch": pull.head,
            "target_branch": pull.base,
            "sha": pull.commit,
            "diff_refs": {"head_sha": pull.commit, "base_sha": base, "start_sha": base},
            "merge_commit_sha": pull.merge_commit if merged and not is_squash else None,
            "squash_commit_sha": pull.merge_commit if merged and is_squash else None,
            "detailed_merge_status": "draft_status" if pull.is_draft else detailed,
            "merge_when_pipeline_succeeds": pull.will_merge_itself,
            "draft": pull.is_draft,
            "discussion_locked": pull.is_locked,
            "head_pipeline": self.pipeline(pull),
        }

    def list_pulls(self, asked: Asked, project: str) -> Answered:
        self.project(project)
        query = asked.query
        states = {"opened": "open", "closed": "closed", "merged": "merged"}
        found = [
            pull
            for pull in self.world.pulls.values()
            if pull.project.path == project
            and states.get(query.get("state", ""), pull.state) == pull.state
            and query.get("source_branch") in {None, pull.head}
            and query.get("target_branch") in {None, pull.base}
        ]
        return paged(asked, [self.shown(pull) for pull in found], self.address)

    def make_pull(self, asked: Asked, project: str) -> Answered:
        """Open a merge request; GitLab is asked at the source's project."""
        body = asked.body
        source = self.project(project)
        target = source
        if "target_project_id" in body:
            wanted = body["target_project_id"]
            target = next(p for p in self.world.projects.values() if p.id == wanted)
        head, base = body["source_branch"], body["target_branch"]
        if found := self.open_of(target.path, source.path, head, base):
            words = (
                f"Another open merge request already exists for this source branch: !{found.number}"
            )
            raise RefusedError(409, words)
        said = {"base": base, "title": body["title"], "body": body.get("description", "")}
        return Answered(201, self.shown(self.open(target.path, (source, head), said)))

    def get_pull(self, asked: Asked, project: str, number: str) -> Answered:
        return Answered(200, self.shown(self.pull(project, number)))

    def edit_pull(self, asked: Asked, project: str, number: str) -> Answered:
        pull, body = self.pull(project, number, writes=True), asked.body
        renamed = {"description": "body", "target_branch": "base"}
        self.edited(pull, {renamed.get(name, name): value for name, value in body.items()})
        return Answered(200, self.shown(pull))

    def get_approvals(self, asked: Asked, project: str, number: str) -> Answered:
        reviews = self.pull(project, number).reviews
        by = [{"user": self.sender(r.author)} for r in reviews if r.state == "approved"]
        return Answered(200, {"approved": bool(by), "approved_by": by})

    def list_reviewers(self, asked: Asked, project: str, number: str) -> Answered:
        states = {"changes_requested": "requested_changes", "approved": "approved"}
        reviews = [
            {
                "user": self.sender(review.author),
                "state": states.get(review.state, "reviewed"),
                "created_at": stamp(review.at),
            }
            for review in self.pull(project, number).reviews
        ]
        return paged(asked, reviews, self.address)

    def list_discussions(self, asked: Asked, project: str, number: str) -> Answered:
        pull = self.pull(project, number)
        alone = [
            {"id": f"I{words.id}", "individual_note": True, "notes": [self.said(words)]}
            for words in pull.comments
        ]
        return paged(asked, [*map(self._thread, pull.threads), *alone], self.address)

    def _thread(self, thread: Placed) -> dict[str, Any]:
        where = {"new_path": thread.path, "new_line": thread.line}
        marks = {"resolvable": True, "resolved": thread.is_resolved, "position": where}
        notes = [{**self.said(words), **marks, "type": "DiffNote"} for words in thread.comments]
        return {"id": thread.id, "individual_note": False, "notes": notes}

    def said(self, words: Words) -> dict[str, Any]:
        return {
            "id": words.id,
            "type": None,
            "author": self.sender(words.author),
            "body": words.body,
            "system": False,
            "resolvable": False,
            "created_at": stamp(words.created_at),
            "updated_at": stamp(words.updated_at),
        }

    def _placed(self, pull: Pull, thread: str) -> Placed:
        if found := next((each for each in pull.threads if each.id == thread), None):
            return found
        raise RefusedError(404, "Not Found")

    def get_discussion(self, asked: Asked, project: str, number: str, thread: str) -> Answered:
        return Answered(200, self._thread(self._placed(self.pull(project, number), thread)))

    def resolve(self, asked: Asked, project: str, number: str, thread: str) -> Answered:
        found = self._placed(self.pull(project, number, writes=True), thread)
        found.is_resolved = asked.query.get("resolved") == "true" or asked.body.get(
            "resolved", False
        )
        return Answered(200, self._thread(found))

    def make_reply(self, asked: Asked, project: str, number: str, thread: str) -> Answered:
        found = self._placed(self.pull(project, number, writes=True), thread)
        return Answered(201, self.said(self.reply(found, asked.body["body"])))

    def list_notes(self, asked: Asked, project: str, number: str) -> Answered:
        notes = [self.said(words) for words in self.pull(project, number).comments]
        return paged(asked, notes, self.address)

    def make_note(self, asked: Asked, project: str, number: str) -> Answered:
        pull = self.pull(project, number, writes=True)
        return Answered(201, self.said(self.write(pull, asked.body["body"])))

    def edit_note(self, asked: Asked, project: str, number: str, note: str) -> Answered:
        for words in self.pull(project, number, writes=True).comments:
            if words.id == int(note):
                return Answered(200, self.said(self.rewrite(words, asked.body["body"])))
        raise RefusedError(404, "Not Found")

    def make_merge(self, asked: Asked, project: str, number: str) -> Answered:
        pull, body = self.pull(project, number, writes=True), asked.body
        method = "squash" if body.get("squash") else pull.project.merge_method
        is_later = body.get("auto_merge") or body.get("merge_when_pipeline_succeeds")
        if is_later and self.world.is_waiting(pull) and pull.state == "open":
            if body["sha"] != pull.commit:
                raise RefusedError(409, "SHA does not match HEAD of source branch")
            pull.will_merge_itself, pull.auto_method = True, method
            return Answered(200, self.shown(pull))
        self.merge(pull, body["sha"], method, (405, 409))
        return Answered(200, self.shown(pull))

    def cancel(self, asked: Asked, project: str, number: str) -> Answered:
        pull = self.pull(project, number, writes=True)
        if not pull.will_merge_itself:
            raise RefusedError(406, "Can't cancel the automatic merge")
        pull.will_merge_itself = False
        return Answered(201, {"status": "success", "at": stamp(now())})
