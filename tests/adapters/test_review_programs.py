"""What the review steps of flows run: it finds the base, keeps reviews, and tells which can be used."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from domain.flows.review_programs import prepare_base, record_review, validate_reviews

BASE, CODEX, MAIN = "current-review-base", "current-codex-review", "current-review"
PLAN = "codeInfoStatus/flow-state/current-plan.json"
REVIEWS = "codeInfoTmp/reviews"


class ReviewLab:
    """A repository whose branch `story` has one commit more than its parent."""

    def __init__(self, folder: Path, git) -> None:
        self.folder = folder
        self._git = git
        self.git("checkout", "-q", "-b", "story")
        self.commit("work.txt")

    def git(self, *words: str) -> str:
        return self._git(self.folder, *words).strip()

    def put(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def commit(self, path: str) -> str:
        self.put(path, path)
        self.git("add", path)
        self.git("commit", "-q", "-m", path)
        return self.git("rev-parse", "HEAD")

    def plan(self, **fields: str) -> None:
        self.put(PLAN, json.dumps({"plan_path": "planning/0000007-shop.md", **fields}))

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr
        return done

    def prepared(self, *pointers: str) -> dict[str, str]:
        done = self.run(prepare_base(BASE, pointers))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def kept(self, key: str) -> dict[str, object]:
        (file,) = (self.folder / REVIEWS).glob(f"*{key}.json")
        return json.loads(file.read_text())

    def validate(self, *keys: str, has_fallback: bool = False):
        done = self.run(validate_reviews(keys, has_fallback=has_fallback))
        return done.returncode, done.stdout.splitlines()


@pytest.fixture
def lab(repository: Path, git) -> ReviewLab:
    return ReviewLab(repository, git)


def test_the_base_is_the_default_branch_as_the_remote_has_it(lab: ReviewLab):
    main = lab.git("rev-parse", "main")
    assert lab.prepared()["comparison_base_ref"] == "refs/heads/main"

    lab.git("update-ref", "refs/remotes/origin/trunk", main)
    lab.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    prepared = lab.prepared()

    assert prepared["comparison_base_ref"] == "refs/remotes/origin/trunk"
    assert prepared["comparison_base_commit"] == main
    assert prepared["head_commit"] == lab.git("rev-parse", "HEAD")
    assert lab.kept(BASE) == prepared


def test_the_branch_that_the_plan_came_from_is_the_base_until_it_is_merged(lab: ReviewLab):
    lab.git("checkout", "-q", "-b", "next-story")
    lab.commit("more.txt")
    lab.plan(branched_from="origin/story")
    assert lab.prepared()["logical_base_branch"] == "story"

    lab.git("branch", "-f", "main", "story")
    assert lab.prepared()["logical_base_branch"] == "main"

    lab.plan(branched_from="gone")
    assert lab.prepared()["logical_base_branch"] == "main"


def test_a_branch_that_this_one_does_not_come_from_is_no_base(lab: ReviewLab):
    lab.git("checkout", "-q", "-b", "other", "main")
    lab.commit("other.txt")
    lab.git("checkout", "-q", "story")
    lab.plan(branched_from="other")
    assert lab.prepared()["logical_base_branch"] == "main"


def test_without_a_branch_to_compare_with_the_step_fails(lab: ReviewLab):
    lab.git("branch", "-q", "-D", "main")
    done = lab.run(prepare_base(BASE))
    assert done.returncode == 1
    assert "no branch to compare with" in done.stderr


def test_the_files_have_the_storys_number_and_stay_out_of_git(lab: ReviewLab):
    lab.plan()
    lab.prepared(MAIN, CODEX)

    names = {path.name for path in (lab.folder / REVIEWS).iterdir()}
    assert names == {f"0000007-{key}.json" for key in (BASE, MAIN, CODEX)}
    assert lab.kept(CODEX)["status"] == "pending"
    assert REVIEWS.partition("/")[0] not in lab.git("status", "--short", "-uall")


@pytest.mark.parametrize("name", ["x'; touch pwned; '.md", "$(touch pwned)-x.md", "../../up.md"])
def test_no_text_of_a_repository_is_run(lab: ReviewLab, name):
    lab.plan(plan_path=f"planning/{name}", branched_from=f"--upload-pack=touch pwned;{name}")
    lab.prepared(MAIN)
    lab.validate(MAIN)
    assert not (lab.folder / "pwned").exists()
    assert not list(lab.folder.parent.glob("*up*.json"))


def test_no_module_of_a_repository_is_run(lab: ReviewLab):
    lab.put("json.py", "open('pwned', 'w')")
    lab.prepared()
    assert not (lab.folder / "pwned").exists()


def test_a_review_is_known_by_its_key_once_it_is_written(lab: ReviewLab):
    session = lab.prepared()["review_session_id"]
    missing = lab.run(record_review(CODEX))
    assert (missing.returncode, "left no review" in missing.stderr) == (1, True)

    lab.put(f"{REVIEWS}/{CODEX}.md", "No findings.")
    recorded = lab.run(record_review(CODEX))

    assert recorded.stdout == "No findings.\n"
    pointer = lab.kept(CODEX)
    assert pointer["review_output_file"] == f"{REVIEWS}/{CODEX}.md"
    assert (pointer["review_session_id"], pointer["status"]) == (session, "completed")


def test_the_review_of_an_earlier_round_is_none_of_this_one(lab: ReviewLab):
    file = lab.put(f"{REVIEWS}/{CODEX}.md", "No findings.")
    os.utime(file, (1, 1))
    lab.prepared()
    done = lab.run(record_review(CODEX))
    assert (done.returncode, "is of an earlier round" in done.stderr) == (1, True)


def review(lab: ReviewLab) -> None:
    lab.put(f"{REVIEWS}/{CODEX}.md", "No findings.")
    assert lab.run(record_review(CODEX)).returncode == 0


def test_reviews_pass_in_part_or_not_at_all(lab: ReviewLab):
    lab.prepared(CODEX, "other")
    assert lab.validate(CODEX, "other") == (
        1,
        [f"{CODEX}: its status is pending", "other: its status is pending", "blocked"],
    )
    review(lab)
    assert lab.validate(CODEX) == (0, [f"{CODEX}: passed", "passed"])
    assert lab.validate(CODEX, "other")[1][-1] == "partial"
    assert lab.kept("current-review-validation")["errors"] == ["other: its status is pending"]

    lab.prepared()  # the next round
    assert lab.validate(CODEX) == (1, [f"{CODEX}: it is of another review", "blocked"])


@pytest.mark.parametrize("path", ["gone.md", "../../work.txt", "/etc/passwd", ""])
def test_a_review_that_names_no_file_of_the_reviews_is_none(lab: ReviewLab, path):
    prepared = lab.prepared()
    full = path if path.startswith("/") or not path else f"{REVIEWS}/{path}"
    pointer = {**prepared, "review_output_file": full}
    lab.put(f"{REVIEWS}/{CODEX}.json", json.dumps(pointer))
    assert lab.validate(CODEX) == (1, [f"{CODEX}: its review_output_file is missing", "blocked"])


def test_without_a_main_review_there_is_one_to_merge_findings_into(lab: ReviewLab):
    lab.prepared(MAIN, CODEX)
    code, lines = lab.validate(CODEX, has_fallback=True)

    assert (code, lines[-1]) == (0, "blocked")
    main = lab.kept(MAIN)
    assert main["status"] == "partial"
    assert (lab.folder / str(main["findings_file"])).read_text().startswith("# Review findings")

    lab.prepared(MAIN, CODEX)
    review(lab)
    assert lab.validate(MAIN, CODEX)[0] == 0
    assert lab.kept(MAIN)["status"] == "partial"


def test_a_main_review_has_evidence_and_findings(lab: ReviewLab):
    prepared = lab.prepared(MAIN)
    files = {f"{each}_file": f"{REVIEWS}/{each}.md" for each in ("evidence", "findings")}
    lab.put(f"{REVIEWS}/{MAIN}.json", json.dumps({**prepared, **files}))
    lab.put(f"{REVIEWS}/findings.md", "Two.")
    assert lab.validate(MAIN)[1][0] == f"{MAIN}: its evidence_file is missing"

    lab.put(f"{REVIEWS}/evidence.md", "Three.")
    assert lab.validate(MAIN) == (0, [f"{MAIN}: passed", "passed"])


def test_nothing_is_validated_before_a_base_is_prepared(lab: ReviewLab):
    code, lines = lab.validate(CODEX, has_fallback=True)
    assert (code, lines) == (1, [])
