"""A bare repository that a forge double serves over HTTP, and merges in as forges do."""

import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from tests.forge.routing import Answered, Asked
from tests.forge.things import Project, Pull

_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Forge"), ("EMAIL", "forge@double.invalid"))
}


class Hosting:
    """A project's repository; the branches of the project follow it, and it follows them."""

    def __init__(self, folder: Path, project: Project, source: Path) -> None:
        """Clone a repository into a folder, as `PATH.git`."""
        self.root = folder
        self.project = project
        self.git_dir = folder / f"{project.path}.git"
        self.git_dir.parent.mkdir(parents=True)
        self._run(source, "clone", "--quiet", "--bare", ".", str(self.git_dir))
        self.git("config", "http.receivepack", "true")
        project.branches = self.branches()

    def git(self, *arguments: str) -> str:
        """Run git in the repository."""
        return self._run(self.git_dir, *arguments).strip()

    def _run(self, where: Path, *arguments: str) -> str:
        environment = {**os.environ, **_IDENTITY}
        done = subprocess.run(
            ["git", *arguments],
            cwd=where,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def branches(self) -> dict[str, str]:
        """Return the branches and their commits."""
        listed = self.git(
            "for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads"
        )
        return dict(line.split(" ") for line in listed.splitlines())

    def is_for(self, asked: Asked) -> bool:
        """Tell whether git asks this."""
        return asked.path.startswith(f"/{self.project.path}.git/")

    def serve(self, asked: Asked) -> Answered:
        """Answer git, by `git http-backend`."""
        parts = urlsplit(asked.target)
        environment = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": asked.method,
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "CONTENT_TYPE": asked.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(asked.raw)),
            "HTTP_CONTENT_ENCODING": asked.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": asked.headers.get("git-protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"],
            env=environment,
            input=asked.raw,
            capture_output=True,
            check=True,
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = (line.partition(": ") for line in head.decode().split("\r\n"))
        headers = {name: value for name, _, value in lines}
        status = int(headers.pop("Status", "200").split(" ")[0])
        return Answered(status, content, headers)

    def merge(self, pull: Pull, method: str) -> str:
        """Merge a pull request's commit into its base; returns the base's new commit."""
        base = self.branches()[pull.base]
        tree = self.git("merge-tree", "--write-tree", base, pull.commit)
        parents = ("-p", base) if method == "squash" else ("-p", base, "-p", pull.commit)
        made = self.git("commit-tree", tree, *parents, "-m", f"{pull.title} (#{pull.number})")
        self.git("update-ref", f"refs/heads/{pull.base}", made, base)
        return made

    def prune(self) -> None:
        """Delete the branches that the project has no more."""
        for branch in self.branches().keys() - self.project.branches.keys():
            self.git("update-ref", "-d", f"refs/heads/{branch}")
