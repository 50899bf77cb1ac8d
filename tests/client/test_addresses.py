"""Where the client finds an engine, and where it sends no token."""

import json

import pytest

from address import read_address, read_server
from treadle_client import errors
from treadle_client.addresses import find_address


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("URL", "TOKEN", "CA", "API_PORT"):
        monkeypatch.delenv(f"TREADLE_{name}", raising=False)
    monkeypatch.setenv("TREADLE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "data").mkdir()
    (tmp_path / "config").mkdir()
    return tmp_path


def logged_in(home):
    kept = {"url": "https://treadle.example", "token": "kept"}
    (home / "data" / "login.json").write_text(json.dumps(kept))


def test_the_local_engine_is_the_default(home):
    (home / "data" / "token").write_text("own\n")
    (home / "config" / "config.toml").write_text("api_port = 9000\n")
    found = find_address()
    assert (found.url, found.data_dir) == ("http://127.0.0.1:9000", home / "data")
    assert found.current_token() == "own"


def test_a_token_that_is_written_later_is_found(home):
    found = find_address()
    assert found.current_token() == ""
    (home / "data" / "token").write_text("new")
    assert found.current_token() == "new"


@pytest.mark.parametrize(
    ("environment", "is_logged_in", "expected"),
    [
        ({}, True, ("https://treadle.example", "kept")),
        ({"TREADLE_URL": "local"}, True, None),
        (
            {"TREADLE_URL": "https://other.example/", "TREADLE_TOKEN": "t"},
            True,
            ("https://other.example", "t"),
        ),
        ({"TREADLE_TOKEN": "t"}, True, ("https://treadle.example", "t")),
        ({"TREADLE_URL": "https://treadle.example"}, True, ("https://treadle.example", "kept")),
        ({"TREADLE_URL": "https://other.example"}, False, ("https://other.example", "")),
    ],
)
def test_it_finds_what_the_command_line_finds(
    home, monkeypatch, environment, is_logged_in, expected
):
    if is_logged_in:
        logged_in(home)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = find_address()
    assert (None if found.data_dir else (found.url, found.token)) == expected
    local = read_address()
    assert local is not None
    server = read_server(local.data_dir)
    assert (server and (server.url, server.token)) == expected


def test_what_the_caller_says_comes_first(home, monkeypatch):
    monkeypatch.setenv("TREADLE_URL", "https://other.example")
    found = find_address("https://mine.example", "t")
    assert (found.url, found.token) == ("https://mine.example", "t")


@pytest.mark.parametrize(
    "url", ["http://treadle.example", "ftp://a", "nonsense", "http://10.0.0.1:8420"]
)
def test_no_token_is_sent_where_others_can_read_it(home, url):
    with pytest.raises(errors.AddressError):
        find_address(url, "t")


def test_this_machine_needs_no_certificate(home):
    assert find_address("http://127.0.0.1:8420", "t").url == "http://127.0.0.1:8420"
    assert find_address("http://localhost:8420", "t").url == "http://localhost:8420"


@pytest.mark.parametrize(
    "url", ["https://ann:hidden@treadle.example", "http://a/?hidden", "https://a/#hidden"]
)
def test_an_address_with_a_secret_in_it_is_refused_and_not_repeated(home, url):
    with pytest.raises(errors.AddressError) as error:
        find_address(url, "t")
    assert "hidden" not in str(error.value)


def test_no_token_stands_in_a_trace(home):
    logged_in(home)
    found, server = find_address(), read_server(home / "data")
    assert found.token == "kept"
    assert "kept" not in f"{found!r} {server!r}"
