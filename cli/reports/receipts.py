"""`treadle receipt` and `treadle verify`: receipts of published trees, and their check without an engine."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.core.client import connect, path_of
from cli.core.console import Json, emit, load_settings, output, pass_on, plain, say
from cli.core.errors import CommandError
from cli.core.files import write_whole
from cli.core.folders import whole
from cli.core.threads import ThreadName, connect_to
from cli.reports.receipt_files import UnusableFileError, read_bounded, tree_at
from domain.evidence.envelope import MAX_BYTES, opened
from domain.evidence.errors import ReceiptRefusedError
from domain.evidence.keys import MAX_KEY_BYTES, InvalidKeyError, ReceiptKey, SigningKey
from domain.evidence.receipt import Statement
from domain.evidence.words import SHORT, lines_of

app = typer.Typer()

KEY = "key"
"""The word in place of a thread that asks for the public key."""

Target = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the signed file here, for `treadle verify`."),
]
File = Annotated[Path, typer.Argument(help="A receipt, as `treadle receipt -o FILE` wrote it.")]
InRepo = Annotated[
    Path | None,
    typer.Option("--repo", help="Also check that this repository has the tree that was proven."),
]
Revision = Annotated[
    str, typer.Option("--commit", metavar="REV", help="The commit of --repo to look at.")
]
Keys = Annotated[
    list[Path] | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="Public key in PEM that may have signed it; repeatable. Default: that of this machine.",
    ),
]


class NotProvenError(CommandError):
    """A receipt is not to be believed, or not of what a repository has."""


@app.command()
def receipt(thread: ThreadName, file: Target = None, as_json: Json = False) -> None:
    """Get the signed receipt of what a thread published: what was proven of that tree.

    `treadle receipt key` prints the public key and its fingerprint, for others to keep.
    """
    if thread == KEY:
        _print_key(file, as_json=as_json)
        return
    client, thread_id = connect_to(thread)
    signed = client.text(path_of("threads", thread_id, "receipt"))
    if file is not None:
        write_whole(file, [signed])
        say(f"Wrote {file}")
    elif as_json:
        pass_on(signed)
    else:
        found = client.get("/v1/receipt-key")
        statement, _ = opened(signed.encode(), [ReceiptKey.of_pem(found["pem"].encode())])
        _print(statement)


def _print_key(file: Path | None, *, as_json: bool) -> None:
    found = connect().get("/v1/receipt-key")
    if file is not None:
        write_whole(file, [found["pem"]])
        say(f"Wrote {file}; fingerprint {found['fingerprint']}")
        return
    emit(found, _draw_key, as_json=as_json)


def _draw_key(found: Any) -> None:
    output.print(plain(f"# fingerprint (SHA-256): {found['fingerprint']}"), soft_wrap=True)
    for line in found["pem"].splitlines():
        output.print(plain(line), soft_wrap=True)


@app.command()
def verify(
    file: File,
    repository: InRepo = None,
    revision: Revision = "HEAD",
    key: Keys = None,
    as_json: Json = False,
) -> None:
    """Verify a receipt offline, and whether it is of what a repository has.

    Exits with 0 if it is valid, 1 if it is refused or void, 2 if it cannot be checked.
    """
    keys = [_read_key(each) for each in key] if key else [_own_key()]
    try:
        statement, signer = opened(read_bounded(file, MAX_BYTES), keys)
    except ReceiptRefusedError as error:
        raise NotProvenError(f"{file} is refused: {error.message}") from error
    if repository is not None:
        _check_tree(statement, whole(repository), revision)
    answer = {
        "valid": True,
        "tree": statement.tree,
        "commit": statement.commit,
        "key": signer.fingerprint,
        "verified": statement.predicate.is_tree_verified,
        "receipt": statement.model_dump(mode="json", by_alias=True),
    }
    words = f"{file} is valid: signed with the key {signer.fingerprint[:16]}, unchanged since"
    if repository is not None:
        words += f"; {repository} has exactly this tree at {revision}"
    emit(answer, lambda _: _print(statement, f"{words}."), as_json=as_json)


def _check_tree(statement: Statement, folder: Path, revision: str) -> None:
    """Refuse a receipt of another tree than a repository has."""
    commit, tree = tree_at(folder, revision)
    if tree != statement.tree:
        raise NotProvenError(
            f"the receipt is void for {folder}: {revision} is commit {commit[:SHORT]} with the tree {tree[:SHORT]}, "
            f"and the receipt is of the tree {statement.tree[:SHORT]}. There is no receipt for this tree"
        )


def _print(statement: Statement, first: str = "") -> None:
    for line in (*filter(None, [first]), *lines_of(statement)):
        output.print(plain(line), soft_wrap=True)


def _read_key(file: Path) -> ReceiptKey:
    try:
        return ReceiptKey.of_pem(read_bounded(file, MAX_KEY_BYTES))
    except InvalidKeyError as error:
        raise UnusableFileError(f"{file} cannot be used as a key: {error.message}") from error


def _own_key() -> ReceiptKey:
    """Return the public key of this machine's receipts, which follows from a file that only its user reads."""
    file: Path = load_settings().code_key_file
    try:
        return SigningKey(file.read_bytes().strip()).public
    except OSError as error:
        raise UnusableFileError(
            "this machine has no key of receipts: name the public key of who signed it with --key (`treadle receipt "
            "key` prints it where the receipt was made)"
        ) from error
