"""Which addresses pass to Temporal's Web UI server: none that it could read otherwise than we do."""

from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.core.problems import RefusedError
from api.temporal_ui.addresses import check_encoding, is_odd
from tests.api.conftest import client_of
from tests.api.web_ui import RUN

NAMESPACES = "/api/v1/namespaces"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (f"{NAMESPACES}/a#b", b""),
        (f"{NAMESPACES}/a", b"query=a#b"),
        (f"{NAMESPACES}/a%", b""),
        (f"{NAMESPACES}/a", b"query=100%"),
        (f"{NAMESPACES}/%zz", b""),
        (f"{NAMESPACES}/a b", b""),
        (f"{NAMESPACES}/\xe9", b""),
        (f"{NAMESPACES}/a", b"\xe9"),
        (f"{NAMESPACES}/%ff", b""),
        (f"{NAMESPACES}/%c3", b""),
        (f"{NAMESPACES}/%ed%a0%80", b""),
        (f"{NAMESPACES}/a", b"query=%ff"),
    ],
)
def test_an_address_with_characters_that_no_url_has_is_refused(path, query):
    with pytest.raises(RefusedError) as refused:
        check_encoding(path, query)
    assert (refused.value.problem.status, refused.value.problem.type) == (
        400,
        "treadle:bad_request",
    )


@pytest.mark.parametrize(
    "path",
    [
        "/_app/../auth/sso",
        "/_app/.%2e/auth/sso",
        "/_app/%2e./auth/sso",
        "/_app/%2E%2e/auth/sso",
        "/_app/..%2fauth/sso",
        "/_app/..%2Fauth/sso",
        "/_app%2f../auth/sso",
        "/_app/%252e%252e/auth/sso",
        "/_app/..",
        "/_app/.%2e",
        "/_app/./x.js",
        "/%2fevil.example",
        "//evil.example",
        "/_app/..%5cx",
        "/_app/a%00.js",
        f"{NAMESPACES}/%25ff",
    ],
)
def test_a_path_that_leads_elsewhere_is_odd(path):
    assert is_odd(path)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (RUN, b"maximumPageSize=100&nextPageToken=a%2Bb%3D%3D"),
        ("/namespaces/default/workflows/thread-x%2Fleft/r1/history", b""),
        ("/namespaces/default/workflows", b"query=%60Title%60%3D%22r%C3%A9sum%C3%A9%20100%25ff%22"),
        ("/_app/immutable/chunks/a..b.-_~!$&'()*+,;=:@.js", b"a[]={}|`"),
        ("/i18n/locales/en..json", b""),
    ],
)
def test_addresses_of_the_web_ui_pass(path, query):
    check_encoding(path, query)
    assert not is_odd(path)


PIECES = ["/", ".", "..", "%2e", "%2f", "%5c", "%25", "%c3%a9", "%ff", "#", "?", "a", "[", "|", ":"]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text())
def test_what_passes_is_the_same_path_for_the_client(path):
    path = f"/{path}"
    try:
        check_encoding(path.partition("?")[0], b"")
    except RefusedError:
        return
    path = path.partition("?")[0]
    if is_odd(path):
        return
    asked = httpx.URL("http://127.0.0.1:1").copy_with(raw_path=path.encode())
    assert asked.host == "127.0.0.1"
    assert unquote(asked.raw_path.decode()) == unquote(path)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/_app/.%2e/auth/sso", 404),
        ("GET", "/_app/..%2fauth/sso", 404),
        ("GET", f"{NAMESPACES}/%ff", 400),
        ("GET", f"{NAMESPACES}/a?query=%ff", 400),
        ("GET", f"{NAMESPACES}/default/workflows/a%25", 400),
        ("GET", f"{NAMESPACES}/default/workflows/a%25zz", 400),
        ("POST", f"{NAMESPACES}/default/workflows/%252", 400),
        ("POST", f"{NAMESPACES}/a/workflows/..%2fx/signal/approve", 403),
        ("POST", f"{RUN}/signal/..%2f..", 403),
    ],
)
async def test_nothing_else_is_passed_on(signed_in, web_ui, method, path, status):
    answer = await signed_in.request(method, path, json={} if method == "POST" else None)
    assert (answer.status_code, bool(answer.json()["message"])) == (status, True)
    assert not web_ui.requests


@pytest.mark.parametrize(
    ("path", "query"), [(b"/a#b", b""), (b"/a", b"query=a#b"), (b"/a%", b""), (b"/\xff", b"")]
)
async def test_what_a_browser_never_sends_is_refused_in_words(
    down_app, signed_in, web_ui, settings, path, query
):
    async def as_it_is(scope, receive, send):  # a client would encode it
        raw = NAMESPACES.encode() + path
        await down_app({**scope, "raw_path": raw, "query_string": query}, receive, send)

    cookies = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    async with client_of(as_it_is, settings) as client:
        client.base_url = signed_in.base_url
        answer = await client.get("/x", headers={"Cookie": cookies})
    assert (answer.status_code, answer.json()["type"]) == (400, "treadle:bad_request")
    assert not web_ui.requests
