"""What each vendor's error asks for: wait and go on, a fresh context, a resumed session, or a person."""

import pytest

from domain.agents.limits.troubles import AUTHENTICATE, Trouble, trouble_of

INTERNAL = -32603

SAID = {
    Trouble.LIMIT: [
        # Claude Code: a JSON-RPC error with a kind
        ('error -32603: Internal error {"errorKind": "rate_limit"}', INTERNAL),
        ('error -32603: API Error: 529 Overloaded {"errorKind": "overloaded"}', INTERNAL),
        ('error -32603: API Error: 500 {"errorKind": "server_error"}', INTERNAL),
        ('error -32603: Credit balance is too low {"errorKind": "billing_error"}', INTERNAL),
        # Codex: the last message of a turn that ends well
        ("exceeded retry limit, last status: 429 Too Many Requests", None),
        ("stream disconnected before completion: error sending request", None),
        ("unexpected status 502 Bad Gateway: upstream", None),
        # OpenCode, Gemini, Qwen
        ('error -32603: AI_APICallError {"statusCode": 503, "isRetryable": true}', INTERNAL),
        ('error 429: Resource has been exhausted {"status": "RESOURCE_EXHAUSTED"}', 429),
        ("error -32000: 429 You exceeded your current quota", AUTHENTICATE),
        ("error -32603: Connection error.", INTERNAL),
    ],
    Trouble.CONTEXT: [
        ('error -32603: Prompt is too long {"errorKind": "invalid_request"}', INTERNAL),
        ("error -32603: prompt is too long: 210000 tokens > 200000 maximum", INTERNAL),
        ("Your input exceeds the context window of this model.", None),
        ('{"code": "context_length_exceeded", "message": "This model\'s maximum ..."}', INTERNAL),
        ("The input token count exceeds the maximum number of tokens allowed 1048576.", 400),
        ('error -32603: Turn failed {"category": "context_exhausted"}', INTERNAL),
    ],
    Trouble.ENDED: [
        ('error -32603: Internal error {"errorKind": "worker_shutdown"}', INTERNAL),
        ('error -32603: Internal error {"errorKind": "transport_lost"}', INTERNAL),
        ("error -32603: Claude Code process exited with code 1", INTERNAL),
    ],
    Trouble.LOGIN: [
        ("error -32000: Authentication required", AUTHENTICATE),
        ("Invalid API key · Please run /login", INTERNAL),
        ('error -32603: Internal error {"errorKind": "authentication_failed"}', INTERNAL),
        ("error 400: API key not valid. Please pass a valid API key.", 400),
        ("unexpected status 401 Unauthorized: Incorrect API key provided", None),
        ("error -32603: OAuth token refresh failed: not logged in", INTERNAL),
        ('error -32603: x {"statusCode": 403}', INTERNAL),
    ],
    Trouble.OTHER: [
        ("error -32603: no such model", INTERNAL),
        ('error -32603: There is an issue {"errorKind": "model_not_found"}', INTERNAL),
        ('error -32603: Internal error {"errorKind": "invalid_request"}', INTERNAL),
        ("error -32601: Method not found", -32601),
        ("", None),
    ],
}


@pytest.mark.parametrize(
    ("trouble", "said", "code"),
    [(trouble, said, code) for trouble, all_said in SAID.items() for said, code in all_said],
)
def test_an_error_asks_for_what_helps(trouble, said, code):
    assert trouble_of(said, code) is trouble
