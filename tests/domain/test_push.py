"""Which subscriptions are taken, and the key that push services know the installation by."""

import base64

import pytest

from domain.news.push import PushError, check_subscription
from domain.news.push_key import public_half, push_key_of

P256DH, AUTH = "B" * 87, "a" * 22


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
    ],
)
def test_the_push_services_of_browsers_are_taken(endpoint):
    check_subscription(endpoint, P256DH, AUTH, ())


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/a",
        "https://fcm.googleapis.com:22/a",
        "https://fcm.googleapis.com@10.0.0.1/a",
        "https://user@fcm.googleapis.com/a",
        "https://evilfcm.googleapis.com.example/a",
        "https://notfcm.googleapis.com/a",
        "https://169.254.169.254/latest",
        "http://127.0.0.1:8420/v1",
        "https://[::1/a",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/\x01a",
        "https://-\u0644.fcm.googleapis.com/a",
        "https://fcm.googleapis.com/a b",
        "",
    ],
)
def test_no_other_address_is_asked(endpoint):
    with pytest.raises(PushError):
        check_subscription(endpoint, P256DH, AUTH, ())


def test_whoever_runs_the_engine_may_name_another_service():
    check_subscription("http://127.0.0.1:99/a", P256DH, AUTH, ("127.0.0.1",))
    check_subscription("https://push.example.org/a", P256DH, AUTH, ("push.example.org",))
    with pytest.raises(PushError, match="https"):
        check_subscription("http://push.example.org/a", P256DH, AUTH, ("push.example.org",))


@pytest.mark.parametrize(("p256dh", "auth"), [("", AUTH), (P256DH, ""), ("B" * 86 + "!", AUTH)])
def test_keys_that_are_none_are_refused(p256dh, auth):
    with pytest.raises(PushError, match="Base64"):
        check_subscription("https://fcm.googleapis.com/a", p256dh, auth, ())


def test_the_key_is_the_same_each_time_and_another_for_another_installation():
    first, again, other = (public_half(push_key_of(key)) for key in (b"a", b"a", b"b"))
    assert first == again != other
    raw = base64.urlsafe_b64decode(first + "=")
    assert (len(raw), raw[0]) == (65, 4)
