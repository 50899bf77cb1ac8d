"""The audit log of requests: whoever asked for what, from where, and what became of it."""

from api.core.auditing import note_sign_in
from domain.people.audit import AuditResult, Door
from tests.api.conftest import client_of
from tests.api.test_permissions import NAMES, guarded, token_for

__all__ = ["guarded"]


async def test_what_is_refused_and_what_is_done_are_recorded(guarded, settings):
    app, repo = guarded
    headers = await token_for(app, "viewer")
    agent = {"User-Agent": "treadle-cli"}
    async with client_of(app, settings) as client:
        thread = f"/v1/threads/{NAMES['thread']}"
        body = {"request_id": "gate-1", "content_hash": "c" * 64}
        refused = await client.post(f"{thread}/approvals", json=body, headers=headers)
        made = await client.post("/v1/tokens", json={"name": "laptop"}, headers=agent)
        await client.get(thread)
        page = (await client.get("/v1/audit")).json()["records"]
    assert (refused.status_code, made.status_code) == (403, 201)
    first, second = page
    assert first["person"] == "viewer"
    assert first["token_id"]
    assert (first["door"], first["result"], first["shown"]) == ("api", "refused", "c" * 64)
    assert first["reason"].startswith("403 role_missing: viewer needs the role author")
    assert first["target"] == f"{NAMES['thread']} gate-1"
    assert first["project"] == str(repo.resolve())
    assert (second["action"], second["door"]) == ("POST /v1/tokens", "cli")
    assert second["result"] == "done"
    assert made.json()["token"] not in str(page)
    assert headers["Authorization"].removeprefix("Bearer ") not in str(page)


async def test_only_an_admin_reads_the_log(guarded, settings):
    app, _ = guarded
    approver, admin = await token_for(app, "approver"), await token_for(app, "admin")
    async with client_of(app, settings) as client:
        refused = await client.get("/v1/audit", headers=approver)
        whole = await client.get("/v1/audit/verification", headers=admin)
    assert refused.status_code == 403
    assert whole.json()["is_whole"]


async def test_sign_ins_are_recorded(guarded):
    journal = guarded[0].state.journal
    await note_sign_in(journal, "anna", "10.0.0.7", how="oidc")
    await note_sign_in(journal, "ben", "10.0.0.8", how="oidc", refusal="no role anywhere")
    good, bad = await journal.people.audit.page()
    assert (good.door, good.person, good.address) == (Door.SIGN_IN, "anna", "10.0.0.7")
    assert (bad.result, bad.reason) == (AuditResult.REFUSED, "no role anywhere")


async def test_refused_doors_are_recorded_once_and_counted(guarded, settings):
    app, _ = guarded
    journal = app.state.journal
    wrong = {"Authorization": "Bearer wrong"}
    async with client_of(app, settings) as client:
        for _ in range(4):
            assert (await client.get("/v1/threads", headers=wrong)).status_code == 401
        elsewhere = await client.get("/v1/threads", headers={"Origin": "https://evil.example"})
        assert elsewhere.status_code == 403
    first, other = await journal.people.audit.page()
    assert (first.result, first.action) == (AuditResult.REFUSED, "GET /v1/threads")
    assert first.reason.startswith("401 token_wrong")
    assert other.reason.startswith("403 origin_not_allowed")
    await app.state.refused.close()
    *_, count = await journal.people.audit.page()
    assert count.reason == "401 token_wrong: 3 more within a minute"
    assert (await journal.people.audit.verify()).is_whole


async def test_whoever_reads_without_the_role_is_recorded_and_a_first_visit_is_not(
    guarded, settings
):
    app, _ = guarded
    headers = await token_for(app, "author")
    async with client_of(app, settings) as client:
        assert (await client.get("/v1/audit", headers=headers)).status_code == 403
        del client.headers["Authorization"]
        visit = await client.get("/threads", headers={"Accept": "text/html"})
    assert visit.status_code == 401
    (record,) = await app.state.journal.people.audit.page()
    assert (record.person, record.action) == ("author", "GET /v1/audit")
    assert record.reason.startswith("403 role_missing")


async def test_a_password_in_a_url_is_not_kept_and_a_nul_is_written_out(guarded, settings):
    app, _ = guarded
    async with client_of(app, settings) as client:
        for named in ("https://u:sEcReT@git.example/a", "https://sEcReT@git.example/a", "/a\0b"):
            body = {"goal": "x", "repository": named}
            assert (await client.post("/v1/threads", json=body)).status_code == 422
        page = (await client.get("/v1/audit")).json()["records"]
    assert "sEcReT" not in str(page)
    assert [each["project"] for each in page] == [*["https://git.example/a"] * 2, "/a[U+0000]b"]
