"""`treadle receipt` and `treadle verify`."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from cli.reports.receipts import NotProvenError, verify
from domain.core.event import Headline
from domain.evidence.envelope import MAX_BYTES, sealed
from domain.evidence.keys import SigningKey
from domain.evidence.receipt import Receipt, Subject, statement_of
from settings import Settings
from tests.cli.conftest import Api
from tests.domain.receipt_lab import KEY, THREAD, TREE, stated

SIGNED = sealed(stated(), KEY)


@pytest.fixture
def key(tmp_path: Path) -> str:
    file = tmp_path / "key.pem"
    file.write_text(KEY.public.pem)
    return str(file)


@pytest.fixture
def receipt(tmp_path: Path) -> Path:
    file = tmp_path / "receipt.json"
    file.write_bytes(SIGNED)
    return file


def run(*arguments: str):
    return CliRunner().invoke(app, arguments)


def refusal(*arguments: str) -> CommandError:
    error = run("verify", *arguments).exception
    assert isinstance(error, CommandError)
    return error


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@t")
    done = subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a").write_text("a")
    git(folder, "add", "a")
    git(folder, "commit", "-qm", "one")
    return folder


def of_tree(tree: str, file: Path) -> str:
    subject = Subject(name="tree", digest={"gitTree": tree})
    file.write_bytes(sealed(stated().model_copy(update={"subject": (subject,)}), KEY))
    return str(file)


def test_a_receipt_is_verified_with_a_pinned_key(receipt: Path, key: str):
    result = run("verify", str(receipt), "--key", key)

    assert result.exit_code == 0
    assert "is valid" in result.stdout
    assert "make test" in result.stdout
    assert "approved by ada" in result.stdout


def test_the_answer_as_json_has_the_whole_receipt(receipt: Path, key: str):
    answer = json.loads(run("verify", str(receipt), "--key", key, "--json").stdout)

    assert (answer["valid"], answer["tree"], answer["verified"]) == (True, TREE, True)
    assert answer["receipt"]["predicate"]["steps"][0]["exitCode"] == 0


def test_this_machines_key_is_the_default(receipt: Path, settings: Settings):
    settings.code_key_file.parent.mkdir(parents=True, exist_ok=True)
    settings.code_key_file.write_text("of a test\n")

    assert run("verify", str(receipt)).exit_code == 0


def test_a_machine_without_a_key_asks_for_one(receipt: Path, settings: Settings):
    settings.code_key_file.unlink(missing_ok=True)

    error = refusal(str(receipt))

    assert (error.code, "--key" in str(error)) == (2, True)


def test_a_changed_byte_is_refused(receipt: Path, key: str):
    receipt.write_bytes(SIGNED.replace(b"payloadType", b"payloadTypf"))

    error = refusal(str(receipt), "--key", key)

    assert (error.code, "is refused" in str(error)) == (1, True)


def test_no_byte_of_a_file_can_be_another(receipt: Path, key: str):
    small = sealed(statement_of(Receipt(thread="t"), tree=TREE, commit="c" * 40), KEY)
    receipt.write_bytes(small)
    assert run("verify", str(receipt), "--key", key).exit_code == 0

    for at in range(len(small)):
        receipt.write_bytes(small[:at] + bytes([small[at] ^ 1]) + small[at + 1 :])
        with pytest.raises(NotProvenError, match="is refused"):
            verify(receipt, key=[Path(key)])


def test_a_wrong_key_is_refused(receipt: Path, tmp_path: Path):
    other = tmp_path / "other.pem"
    other.write_text(SigningKey(b"other").public.pem)

    error = refusal(str(receipt), "--key", str(other))

    assert error.code == 1
    assert KEY.public.fingerprint[:16] in str(error)


def test_a_huge_file_is_refused(tmp_path: Path, key: str):
    file = tmp_path / "huge"
    with file.open("wb") as out:
        out.truncate(MAX_BYTES * 100)

    error = refusal(str(file), "--key", key)

    assert (error.code, "longer than" in str(error)) == (1, True)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path, key: str):
    file = tmp_path / "notes.md"
    file.write_text("# no receipt")

    error = refusal(str(file), "--key", key)

    assert (error.code, "not JSON" in str(error)) == (1, True)


def test_a_symbolic_link_is_named(tmp_path: Path, receipt: Path, key: str):
    link = tmp_path / "link"
    link.symlink_to(receipt)

    error = refusal(str(link), "--key", key)

    assert (error.code, "symbolic link" in str(error)) == (2, True)


def test_a_pipe_is_refused_at_once(tmp_path: Path, key: str):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    error = refusal(str(pipe), "--key", key)

    assert (error.code, "no plain file" in str(error)) == (2, True)


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_what_cannot_be_read_is_named(tmp_path: Path, key: str, name: str):
    assert refusal(str(tmp_path / name), "--key", key).code == 2


def test_a_key_that_is_none_is_named(receipt: Path):
    error = refusal(str(receipt), "--key", str(receipt))

    assert (error.code, "cannot be used as a key" in str(error)) == (2, True)


def test_a_repository_with_the_same_tree_is_told(repository: Path, tmp_path: Path, key: str):
    file = of_tree(git(repository, "rev-parse", "HEAD^{tree}"), tmp_path / "r.json")

    result = run("verify", file, "--key", key, "--repo", str(repository))

    assert result.exit_code == 0
    assert "exactly this tree" in result.stdout


def test_a_commit_that_changes_the_tree_makes_it_void(repository: Path, tmp_path: Path, key: str):
    file = of_tree(git(repository, "rev-parse", "HEAD^{tree}"), tmp_path / "r.json")
    (repository / "a").write_text("b")
    git(repository, "commit", "-qam", "two")

    error = refusal(file, "--key", key, "--repo", str(repository))

    assert (error.code, "is void" in str(error)) == (1, True)
    assert (
        run("verify", file, "--key", key, "--repo", str(repository), "--commit", "HEAD~1").exit_code
        == 0
    )


def test_another_commit_of_the_same_tree_is_as_good(repository: Path, tmp_path: Path, key: str):
    file = of_tree(git(repository, "rev-parse", "HEAD^{tree}"), tmp_path / "r.json")
    git(repository, "commit", "-q", "--amend", "-m", "squashed")

    assert run("verify", file, "--key", key, "--repo", str(repository)).exit_code == 0


def test_a_replaced_commit_deceives_nobody(repository: Path, tmp_path: Path, key: str):
    file = of_tree(git(repository, "rev-parse", "HEAD^{tree}"), tmp_path / "r.json")
    first = git(repository, "rev-parse", "HEAD")
    (repository / "a").write_text("b")
    git(repository, "commit", "-qam", "two")
    git(repository, "replace", "HEAD", first)

    assert "is void" in str(refusal(file, "--key", key, "--repo", str(repository)))


@pytest.mark.parametrize("revision", ["--output=x", "none", "HEAD\0"])
def test_a_commit_that_is_none_is_named(repository: Path, receipt: Path, key: str, revision: str):
    error = refusal(str(receipt), "--key", key, "--repo", str(repository), f"--commit={revision}")

    assert error.code == 2


def test_a_folder_that_is_no_repository_is_named(receipt: Path, key: str, tmp_path: Path):
    assert refusal(str(receipt), "--key", key, "--repo", str(tmp_path)).code == 2


@pytest.fixture
def api_with_receipt(api: Api, settings: Settings) -> Api:
    line = Headline(stream=THREAD, kind="thread").model_dump(mode="json")
    public = KEY.public
    api.answers["GET /v1/threads"] = (200, {"threads": [line]})
    api.answers[f"GET /v1/threads/{THREAD}/receipt"] = (200, SIGNED.decode())
    api.answers["GET /v1/receipt-key"] = (
        200,
        {"pem": public.pem, "fingerprint": public.fingerprint},
    )
    return api


def test_a_receipt_is_written_to_the_byte(api_with_receipt: Api, tmp_path: Path, key: str):
    file = tmp_path / "out.json"

    assert run("receipt", THREAD, "-o", str(file)).exit_code == 0

    assert file.read_bytes() == SIGNED
    assert run("verify", str(file), "--key", key).exit_code == 0


def test_a_receipt_is_read_in_words(api_with_receipt: Api):
    shown = run("receipt", THREAD).stdout

    assert "Verified: " in shown
    assert "grace" in shown


def test_a_receipt_as_json_is_the_file(api_with_receipt: Api):
    assert run("receipt", THREAD, "--json").stdout.encode() == SIGNED


def test_the_public_key_is_printed_with_its_fingerprint(api_with_receipt: Api, tmp_path: Path):
    shown = run("receipt", "key").stdout

    assert KEY.public.fingerprint in shown
    pinned = tmp_path / "pinned.pem"
    pinned.write_text(shown)
    file = tmp_path / "r.json"
    file.write_bytes(SIGNED)
    assert run("verify", str(file), "--key", str(pinned)).exit_code == 0
