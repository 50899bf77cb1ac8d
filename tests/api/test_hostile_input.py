"""Rows B1 to B27 of the reliability page, as raw bytes to a running server."""

import asyncio
import json

import pytest
from limits import RateLimitItemPerSecond

from api.core.rates import Limits
from settings import Settings
from tests.api.conftest import event
from tests.api.serving import filled, say, serving
from tests.free_ports import free_ports

HEAD = b"%s %s HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
THREADS = b"/v1/threads"
PAUSE = b"/v1/threads/thread-a/pause"
MESSAGES = b"/v1/threads/thread-a/messages"
GOOD = {"repository": "/somewhere", "goal": "Add a flag", "agent": "scripted"}


def post(body, path=THREADS, more=b"Content-Type: application/json\r\nX-Treadle: 1\r\n"):
    return HEAD % (b"POST", path) + more + b"Content-Length: %d\r\n\r\n" % len(body) + body


def fields(**changed):
    return post(json.dumps(GOOD | changed).encode())


def get(path=THREADS, more=b"", head=HEAD, method=b"GET"):
    return head % (method, path) + more + b"\r\n"


def asked_as(host):
    return get(head=HEAD.replace(b"{host}", host))


def with_token(line):
    return get(head=HEAD.replace(b"Authorization: Bearer {token}\r\n", line))


CHUNKED = HEAD % (b"POST", PAUSE) + (
    b"Content-Type: application/json\r\nX-Treadle: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
)
MEGABYTE = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
OTHER_TYPE = b"X-Treadle: 1\r\nContent-Type: %s\r\n"

ROWS = {
    "B1": [(post(b""), 400, "invalid_json")],
    "B2": [(post(b'{"a":1}x'), 400, "invalid_json"), (post(b'{"a":1}{}'), 400, "invalid_json")],
    "B3": [
        (post(b'{"goal":"a","goal":"b"}'), 400, "duplicate_key"),
        (post(b'{"goal":{"x":1,"x":1}}'), 400, "duplicate_key"),
        (post(b'{"g\\u006fal":"a","goal":"b"}'), 400, "duplicate_key"),
    ],
    "B4": [(post(b'{"goal":"\\ud800"}'), 400, "bad_unicode")],
    "B5": [
        (post(b'{"\\udfff":1}'), 400, "bad_unicode"),
        (post(b'{"a":[{"b":"x\\ud83dy"}]}'), 400, "bad_unicode"),
    ],
    "B6": [
        (post(b'{"a":%s}' % x), 400, "invalid_json") for x in (b"NaN", b"Infinity", b"-Infinity")
    ],
    "B7": [(post(b'{"a":%s}' % x), 400, "number_out_of_range") for x in (b"1e400", b"-1e999")],
    "B8": [(post(b'{"a":%s}' % (b"9" * 5000)), 400, "number_out_of_range")],
    "B9": [
        (post(b"[" * 100_000), 400, "too_deep"),
        (post(b'{"a":' * 33 + b"1" + b"}" * 33), 400, "too_deep"),
    ],
    "B10": [
        (post(b'{"goal":"' + b"x" * 300_000 + b'"}'), 413, "body_too_large"),
        (post(b" " * 300_000, PAUSE), 413, "body_too_large"),
        (post(b'{"text":"' + b"x" * 1_100_000 + b'"}', MESSAGES), 413, "body_too_large"),
    ],
    "B12": [
        (post('{"goal":"a"}'.encode("utf-16")), 400, "not_utf8"),
        (post(b'\xef\xbb\xbf{"goal":"a"}'), 400, "not_utf8"),
        (post(b'{"goal":"\xff"}'), 400, "not_utf8"),
        (post(b'{"goal":"\xed\xa0\x80"}'), 400, "not_utf8"),
    ],
    "B13": [
        (post(b"{}", more=b"X-Treadle: 1\r\n"), 415, "use_json"),
        *(
            (post(b"{}", more=OTHER_TYPE % kind), 415, "use_json")
            for kind in (
                b"text/plain",
                b"application/x-www-form-urlencoded",
                b"multipart/form-data; boundary=x",
                b"application/jsonx",
                b"application/json\r\nContent-Type: text/plain",
            )
        ),
    ],
    "B14": [
        (fields(isPlaned=True), 422, "unknown_field"),
        (fields(**{"x" * 5000: 1}), 422, "unknown_field"),
        (fields(**{f"x{n}": 1 for n in range(5000)}), 422, "unknown_field"),
    ],
    "B15": [(fields(max_parallel_tasks=x), 422, "wrong_type") for x in ("3", True, 3.0, [], {})],
    "B16": [(fields(max_parallel_tasks=x), 422, "out_of_range") for x in (-1, 0, 101, 10**30)],
    "B17": [
        *((fields(goal=x), 422, "empty") for x in ("", "   ", "\u200b", "\n\ufeff\u2060")),
        (fields(goal="x" * 100_001), 422, "too_long"),
        (fields(agent="x" * 201), 422, "too_long"),
    ],
    "B18": [
        (fields(goal=f"a{x}b"), 422, "control_character") for x in ("\0", "\x1b", "\x07", "\x7f")
    ],
    "B19": [
        *(
            (asked_as(host), 421, "host_not_allowed")
            for host in (
                b"evil.example",
                b"localhost.:1",
                b"0.0.0.0",
                b"127.0.0.1",
                b"{host}.evil",
                b"evil@{host}",
                b"127.1:80",
                b"[::ffff:127.0.0.1]:80",
            )
        ),
        (get(more=b"Host: {host}\r\n"), 400, "host_not_allowed"),
        (b"GET / HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n", 400, "host_not_allowed"),
        (b"GET / HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n", 421, "host_not_allowed"),
    ],
    "B20": [
        (get(more=b"Origin: %s\r\n" % origin), 403, "origin_not_allowed")
        for origin in (
            b"null",
            b"http://127.0.0.1:1",
            b"http://{host}.evil.example",
            b"https://{host}",
            b"http://{host}\r\nOrigin: http://{host}",
            b"http://{host}\r\nOrigin: null",
            b"",
        )
    ],
    "B21": [
        (with_token(b""), 401, "token_missing"),
        (with_token(b"Authorization: Bearer wrong\r\n"), 401, "token_wrong"),
        (with_token(b"Authorization: {token}\r\n"), 401, "token_wrong"),
        (with_token(b"Authorization: Bearer {token}x\r\n"), 401, "token_wrong"),
        (get(more=b"Authorization: Bearer {token}\r\n"), 401, "token_wrong"),
        (with_token(b"").replace(b"threads ", b"threads?token={token} "), 401, "token_missing"),
        (get(b"/v1/threads?Access_Token={token}"), 401, "token_missing"),
    ],
    "B22": [
        (get(more=b"X-Large: " + b"a" * 70_000 + b"\r\n"), 431, "headers_too_large"),
        (get(more=b"X-Many: a\r\n" * 200), 431, "headers_too_large"),
        (get(b"/" + b"a" * 70_000), 431, "headers_too_large"),
    ],
    "B23": [
        *(
            (get(method=method), 405, "method_not_allowed")
            for method in (b"TRACE", b"FROB", b"CONNECT", b"PUT", b"DELETE", b"get", b"OPTIONS")
        ),
        (get(more=b"X-HTTP-Method-Override: DELETE\r\n"), 405, "method_not_allowed"),
    ],
    "B24": [
        *(
            (get(b"/v1/threads?%s" % query), 422, name)
            for query, name in (
                (b"limit=-1", "out_of_range"),
                (b"limit=nan", "wrong_type"),
                (b"limit=1e9", "wrong_type"),
                (b"limit=%D9%A3", "wrong_type"),
                (b"limit=1&limit=2", "duplicate_parameter"),
                (b"cursor=garbage", "unknown_parameter"),
                (b"after=99999999999999999999", "out_of_range"),
                (b"status=zzz", "bad_value"),
                (b"%FF=1", "unknown_parameter"),
            )
        ),
        (get(b"/v1/events", more=b"Last-Event-ID: garbage\r\n"), 422, "wrong_type"),
    ],
    "B25": [
        *(
            (get(b"/v1/threads/%s" % name), 404, "not_found")
            for name in (
                b"thread-a%00",
                b"thread-%ff",
                b"..%2fthread-a",
                b"..%2f..%2f..%2fetc%2fpasswd",
                b"thread-" + b"a" * 5000,
                b"THREAD-A",
                b"thread-missing",
                b"thread-a/tasks/T1",
            )
        ),
        (post(b"{}", b"/v1/threads/thread-%ff/pause"), 404, "not_found"),
        (get(b"/v1/texts/..%2f..%2fetc%2fpasswd"), 404, "not_found"),
    ],
    "B26": [
        (get(b"/v1/threads/thread-a%0a"), 404, "not_found"),
        (get(b"/v1/threads/thread-a/tasks/t1%0a"), 404, "not_found"),
    ],
    "no HTTP": [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "bad_request"),
        (b"GARBAGE\r\n\r\n", 400, "bad_request"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 421, "host_not_allowed"),
        (get(b"/v1/threads/\xff\xfe"), 400, "bad_request"),
        (get(b"http://evil.example/v1/threads"), 404, "not_found"),
        (post(b"{]"), 400, "invalid_json"),
        (post(b"[]"), 422, "wrong_type"),
        (post(b"").replace(b"Content-Length: 0", b"Content-Length: -1"), 400, "bad_request"),
        (CHUNKED + b"zz\r\n", 400, "bad_request"),
        (post(b"{}", more=OTHER_TYPE[14:] % b"application/json"), 403, "x_treadle_missing"),
    ],
}
CASES = [
    pytest.param(*case, id=f"{row}-{number}")
    for row, cases in ROWS.items()
    for number, case in enumerate(cases)
]


@pytest.fixture(scope="module")
async def server(tmp_path_factory):
    """A server that knows one thread, without Temporal."""
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("hostile") / "data",
        api_port=free_ports(1)[0],
        temporal_port=free_ports(1)[0],
    )
    patient = Limits(writes=RateLimitItemPerSecond(10_000))  # a quick machine makes many a second
    async with serving(settings, limits=patient) as (journal, _, _server):
        await journal.append([event(0)])
        yield settings


async def refused(settings, status, name, *pieces):
    answer = await say(settings, *pieces)
    assert (answer.status, answer.problem) == (status, name), answer
    assert str(settings.data_dir).encode() not in answer.body
    assert b"Traceback" not in answer.body
    assert len(answer.body) < 1500
    assert b"x" * 81 not in answer.body
    assert "nosniff" in answer.head
    assert "access-control" not in answer.head
    return answer


@pytest.mark.parametrize(("request_bytes", "status", "name"), CASES)
async def test_a_hostile_request_gets_its_own_answer(server, request_bytes, status, name):
    await refused(server, status, name, request_bytes)


@pytest.mark.parametrize(("request_bytes", "status", "name"), CASES)
async def test_it_gets_the_same_answer_byte_by_byte(server, request_bytes, status, name):
    """The first three hundred bytes one by one: no answer hangs on how the bytes come in."""
    whole = filled(server, request_bytes)
    slow = [whole[n : n + 1] for n in range(min(300, len(whole)))]
    await refused(server, status, name, *slow, whole[300:])


async def test_a_body_without_a_length_is_refused_when_it_is_too_long(server):  # B11
    answer = await refused(server, 413, "body_too_large", CHUNKED, *[MEGABYTE] * 50)
    assert "connection: close" in answer.head


async def test_a_body_that_is_cut_off_does_nothing(server):
    whole = post(b'{"command_id":"cut"}', PAUSE).replace(b"Length: 20", b"Length: 21")
    reader, writer = await asyncio.open_connection("127.0.0.1", server.api_port)
    writer.write(filled(server, whole))
    writer.write_eof()
    assert await reader.read() == b""
    writer.close()
    other = await say(server, post(b'{"command_id":"cut"}', PAUSE.replace(b"pause", b"resume")))
    assert other.problem != "key_reused"


async def test_a_misspelled_field_is_answered_with_the_one_that_is_meant(server):  # B14
    answer = await refused(server, 422, "unknown_field", fields(isPlaned=True))
    assert json.loads(answer.body)["hint"] == "did you mean is_planned?"


async def test_a_command_id_is_used_for_one_thing(server):  # B27
    first = await say(server, fields(command_id="once"))
    again = await say(server, fields(command_id="once"))
    assert [a.problem for a in (first, again)] == ["unavailable", "unavailable"]
    await refused(server, 409, "key_reused", fields(command_id="once", goal="Another"))
    await say(server, post(b'{"command_id":"p"}', PAUSE))
    resume = PAUSE.replace(b"pause", b"resume")
    await refused(server, 409, "key_reused", post(b'{"command_id":"p"}', resume))
