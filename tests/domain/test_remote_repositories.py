"""Repositories by URL: what may be written, and what it stands for."""

import pytest

from domain.core.remote_errors import InvalidRepositoryUrlError
from domain.core.remote_repositories import SCHEMES, is_remote, pinned, read_remote

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "url", "ref"),
    [
        ("https://git.example/team/app.git", "https://git.example/team/app.git", ""),
        ("https://Git.Example:8443/team/app/@main", "https://git.example:8443/team/app", "main"),
        ("https://git.example/a.git@feature/x+1", "https://git.example/a.git", "feature/x+1"),
        ("ssh://git@git.example/~ann/app.git@v1.2", "ssh://git@git.example/~ann/app.git", "v1.2"),
        ("git@git.example:team/app.git@main", "ssh://git@git.example/team/app.git", "main"),
        (f"ssh://git.example/a@{COMMIT}", "ssh://git.example/a", COMMIT),
        ("https://[::1]:3000/a.git", "https://[::1]:3000/a.git", ""),
    ],
)
def test_urls_are_read(text, url, ref):
    assert is_remote(text)
    found = read_remote(text)

    assert (found.url, found.ref) == (url, ref)
    assert read_remote(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        "ext::sh",
        "ext::sh -c id",
        "ext://git.example/a",
        "git://git.example/a.git",
        "http://git.example/a.git",
        "file:///srv/a.git",
        "https://ann:secret@git.example/a.git",
        "https://ann@git.example/a.git",
        "ssh://git:secret@git.example/a.git",
        "ssh://-oProxyCommand=id/a.git",
        "ssh://-x@git.example/a.git",
        "https:///a.git",
        "https://git.example",
        "https://git.example/",
        "https://git.example/a.git?x=1",
        "https://git.example/a.git#main",
        "https://git.example/a b.git",
        "https://git.example/a.git\n@x",
        "https://git.example/a/../b.git",
        "https://git.example/a.git@--upload-pack=id",
        "https://git.example/a.git@a..b",
        "https://git.example/a.git@a.lock",
        "https://git.example/a.git@x@{1}",
        "https://git.example:port/a.git",
        f"https://git.example/{'a' * 1000}",
    ],
)
def test_what_is_no_url_or_could_make_git_act_is_refused(text):
    assert is_remote(text)
    with pytest.raises(InvalidRepositoryUrlError) as refused:
        read_remote(text)
    assert "secret" not in refused.value.message


def test_file_and_http_need_to_be_allowed():
    assert read_remote("file:///srv/a.git", SCHEMES).url == "file:///srv/a.git"
    assert read_remote("http://127.0.0.1:8080/a.git", SCHEMES).name == "a"
    with pytest.raises(InvalidRepositoryUrlError, match="TREADLE_REPOSITORY_SCHEMES"):
        read_remote("file:///srv/a.git")


@pytest.mark.parametrize("path", ["/home/ann/app", "app", "../a:b", "/srv/a@b", "C", ""])
def test_paths_are_no_urls(path):
    assert not is_remote(path)
    assert pinned(path) is None


def test_a_thread_keeps_a_commit():
    found = read_remote("https://git.example/app.git@main")

    assert not found.is_pinned
    assert pinned(str(found)) is None
    assert pinned(str(found.at(COMMIT))) == found.at(COMMIT)
    assert found.key == found.at(COMMIT).key
    assert found.key != read_remote("https://git.example/b/app.git").key
