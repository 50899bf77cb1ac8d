"""What a sandbox refused, read from errors as programs print them."""

import pytest

from domain.agents.refusals import MAX_TOLD, REFUSED, Refusals, refused_in, texts_in


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Error: connect EACCES 127.0.0.1:5432", ["port 5432"]),
        ("Error: listen EACCES: permission denied 0.0.0.0:3000", ["port 3000"]),
        ("listen EACCES: permission denied :::3000", ["port 3000"]),
        ("dial tcp 127.0.0.1:5432: connect: permission denied", ["port 5432"]),
        ("ssh: connect to host git.example port 22: Permission denied", ["port 22"]),
        (
            'connection to server at "localhost" (::1), port 5432 failed: Permission denied',
            ["port 5432"],
        ),
        ("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", ["file /etc/shadow"]),
        ("OSError: [Errno 30] Read-only file system: 'made'", ["file made"]),
        ("Error: EROFS: read-only file system, open '/srv/x y'", ["file /srv/x y"]),
        ("touch: cannot touch 'made': Read-only file system", ["file made"]),
        ("cat: /root/key: Permission denied\nfine", ["file /root/key"]),
        ("sh: 1: cannot create /srv/made: Read-only file system", ["file /srv/made"]),
        ("open /srv/x: read-only file system", ["file /srv/x"]),
        ("PermissionError: [Errno 13] Permission denied", []),
        ("permission denied by the user", []),
        ("git@forge.example: Permission denied (publickey).", []),
        ("The port 80 is open, and nothing was refused.", []),
    ],
)
def test_ports_and_files_are_read_from_errors(said, read):
    assert list(dict.fromkeys(refused_in(said))) == read


def test_of_a_line_without_end_its_beginning_is_read():
    said = "connect EACCES 1.2.3.4:5 " + "a:1 '" * 20_000 + " connect EACCES 1.2.3.4:6"
    assert [*refused_in(said[:60_000])] == ["port 5"]


def test_what_was_refused_is_one_line():
    refusals = Refusals()
    assert refusals.words == ""
    refusals.heard("its version is odd")
    refusals.heard(f"{REFUSED}one.example")
    refusals.heard(f"{REFUSED}two\n.example:25")
    for text in texts_in({"content": [{"text": "connect EACCES 1.2.3.4:5"}, 7, None]}):
        refusals.read(text)
    refusals.read(
        "".join(f"touch: cannot touch '/{n}': Read-only file system\n" for n in range(12))
    )

    assert "\n" not in refusals.words
    assert refusals.words.startswith(
        "the sandbox refused: one.example, two⏎.example:25; by the agent's own errors it was "
        "refused: port 5, file /0, "
    )
    assert refusals.words.endswith(f" and {13 - MAX_TOLD} more")
