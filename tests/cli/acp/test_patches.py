"""Patches of git as diffs of the protocol: each side is what git has of it."""

import difflib
import subprocess
from pathlib import Path

import acp
from hypothesis import given
from hypothesis import strategies as st

from cli.acp.patches import GAP, changed_files, diff_content
from tests.hypothesis_profiles import effort

LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=8).map("{}\n".format),
    max_size=12,
)


def patch_of(before: list[str], after: list[str], context: int) -> str:
    head = "diff --git a/some file.txt b/some file.txt\nindex 1..2 100644\n"
    return head + "".join(
        difflib.unified_diff(before, after, "a/some file.txt", "b/some file.txt", n=context)
    )


@effort(60)
@given(LINES, LINES)
def test_each_side_of_a_patch_is_the_file_that_it_is_of(before: list[str], after: list[str]):
    files = changed_files(patch_of(before, after, 100))
    if before == after:
        assert files[0].note
        return
    (file,) = files
    assert file.path == "some file.txt"
    assert file.before == "".join(before)
    assert file.after == "".join(after)


@effort(60)
@given(LINES, LINES)
def test_no_changed_line_is_left_out_of_what_is_shown(before: list[str], after: list[str]):
    patch = patch_of(before, after, 0)
    removed = [line[1:] for line in hunk_lines(patch) if line.startswith("-")]
    added = [line[1:] for line in hunk_lines(patch) if line.startswith("+")]
    (file,) = changed_files(patch)
    assert (file.before or "").replace(GAP, "") == "".join(removed).replace(GAP, "")
    assert file.after.replace(GAP, "") == "".join(added).replace(GAP, "")


def hunk_lines(patch: str) -> list[str]:
    lines = patch.split("\n")[4:]
    return [f"{line}\n" for line in lines if line and not line.startswith("@@")]


def test_what_git_itself_prints_is_read(tmp_path: Path):
    """New, deleted, renamed, binary and empty files, and one without a line end."""

    def git(*arguments: str) -> str:
        author = ("-c", "user.name=T", "-c", "user.email=t@t.invalid")
        command = ["git", *author, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    (tmp_path / "gone.txt").write_text("--- a/x\n+++ b/x\n")
    (tmp_path / "moved.txt").write_text("a\nb\nc\nd\n")
    git("add", "--all")
    git("commit", "--quiet", "--message", "Begin")
    (tmp_path / "gone.txt").unlink()
    (tmp_path / "moved.txt").rename(tmp_path / "new place.txt")
    (tmp_path / "new.txt").write_text("@@ -1 +1 @@\nwithout an end")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "empty.txt").touch()
    git("add", "--all")
    files = {file.path: file for file in changed_files(git("diff", "--cached", "-M"))}

    assert files["gone.txt"].before == "--- a/x\n+++ b/x\n"
    assert files["gone.txt"].after == ""
    assert (files["new.txt"].before, files["new.txt"].after) == (
        None,
        "@@ -1 +1 @@\nwithout an end\n",
    )
    assert "rename from moved.txt" in files["new place.txt"].note
    assert "Binary files" in files["picture.png"].note
    assert "new file mode" in files["empty.txt"].note


def test_diffs_name_absolute_paths_and_are_the_protocols():
    patch = patch_of(["a\n"], ["b\n"], 3)
    (shown,) = diff_content(patch, Path("/repo"))
    call = acp.update_tool_call("1", content=[shown])
    told = acp.schema.SessionNotification(session_id="s", update=call)

    assert shown.path == "/repo/some file.txt"
    assert acp.schema.SessionNotification.model_validate(told.model_dump(by_alias=True))


def test_no_patch_is_no_content():
    assert diff_content("", Path("/repo")) == []
