"""Health checks ask this host's loopback on the task's ports, however a URL is dressed up."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.verification.health_url import UrlRefusedError, addresses_of, check_url

PORTS = {3001, 3002}


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3001",
        "http://localhost:3001/",
        "http://127.0.0.1:3001/health",
        "http://[::1]:3002/a/b?c=http://x@y",
        "http://127.0.0.1:3001?x",
    ],
)
def test_the_forms_that_are_asked(url):
    assert check_url(url, PORTS) == httpx.URL(url).port


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://169.254.169.254/", "only localhost"),
        ("http://example.com:3001/", "only localhost"),
        ("http://127.0.0.1.example.com:3001/", "only localhost"),
        ("http://localhost.:3001/", "only localhost"),
        ("http://LOCALHOST:3001/", "only localhost"),
        ("http://0.0.0.0:3001/", "only localhost"),
        ("http://127.1:3001/", "only localhost"),
        ("http://127.0.0.2:3001/", "only localhost"),
        ("http://2130706433:3001/", "only localhost"),
        ("http://0x7f000001:3001/", "only localhost"),
        ("http://[::ffff:127.0.0.1]:3001/", "only localhost"),
        ("http://[::1%25lo]:3001/", "only localhost"),
        ("http://[::]:3001/", "only localhost"),
        ("http://localhost:3001@evil/", "user name"),
        ("http://evil@localhost:3001/", "user name"),
        ("http://@localhost:3001/", "user name"),
        ("http://localhost/", "only localhost"),
        ("http://localhost:/", "not a port"),
        ("http://localhost:03001/", "not a port"),
        ("http://localhost:99999999/", "not a port"),
        ("http://localhost:22/", "not one that the task holds"),
        ("http://localhost:7233/", "not one that the task holds"),
        ("https://localhost:3001/", "only http"),
        ("HTTP://localhost:3001/", "only http"),
        ("file:///etc/passwd", "only http"),
        ("gopher://localhost:3001/", "only http"),
        ("//localhost:3001/", "only http"),
        ("/health", "only http"),
        ("", "characters"),
        ("http://localhost:3001/\r\nHost: x", "characters"),
        ("http://localhost:3001\\@evil/", "characters"),
        ("http://localhost:3001/#x", "characters"),
        ("http://localhost:３００１/", "characters"),
        ("http://ⓛocalhost:3001/", "characters"),
        (" http://localhost:3001/", "characters"),
        (f"http://localhost:3001/{'x' * 70_000}", "longer"),
    ],
)
def test_every_other_is_refused_with_one_reason(url, reason):
    with pytest.raises(UrlRefusedError, match=reason):
        check_url(url, PORTS)


PIECES = st.sampled_from(
    [
        "http://",
        "localhost",
        "127.0.0.1",
        "[::1]",
        ":3001",
        ":80",
        "/",
        "?",
        "@",
        "x",
        "\\",
        "#",
        ":",
    ]
)


@given(st.lists(PIECES, max_size=8).map("".join) | st.text())
def test_what_is_allowed_goes_to_loopback_for_the_client_too(url):
    try:
        check_url(url, PORTS)
    except UrlRefusedError:
        return
    asked = httpx.URL(url)
    assert (asked.host, asked.port) in {
        (h, p) for h in ("localhost", "127.0.0.1", "::1") for p in PORTS
    }
    assert not asked.userinfo
    for address in addresses_of(url):
        assert check_url(address, PORTS) == asked.port
        assert httpx.URL(address).host in {"127.0.0.1", "::1"}
