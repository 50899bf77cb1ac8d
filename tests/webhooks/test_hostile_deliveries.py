"""Whatever bytes and headers arrive, the door answers in words."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.webhooks.conftest import KINDS
from tests.webhooks.senders import PROOFS, signed

HEADERS = st.dictionaries(
    st.sampled_from(
        [
            *PROOFS.values(),
            "webhook-id",
            "webhook-timestamp",
            "x-github-event",
            "x-github-delivery",
            "content-type",
            "x-forwarded-for",
            "idempotency-key",
        ]
    ),
    st.text(
        st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=80
    ),
)


@given(st.sampled_from(KINDS), st.booleans(), HEADERS, st.binary(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_no_bytes_and_no_headers_break_the_door(door, kind, is_signed, headers, body):
    await door.app._windows.storage.reset()  # each example is somebody new
    proof = signed(kind, body)[0] if is_signed and kind != "standard" else {}
    raw = {**headers, **proof}
    scope_headers = [(name.encode(), value.encode("latin-1")) for name, value in raw.items()]
    answer = await door.client.post(f"/hooks/{kind}", content=body, headers=scope_headers)
    assert answer.status_code < 500
