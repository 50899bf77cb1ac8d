"""A changed repository is trusted again by its content hash, once it was shown."""

import pytest

from adapters.files.trusted_metadata import TrustedMetadata


@pytest.fixture
def refused(settings, tmp_path):
    """A repository that git was refused in."""
    repository = tmp_path / "project"
    trusted = TrustedMetadata(settings.data_dir)
    trusted.trust(repository, {".git/config: core.bare": "false"})
    changed = {".git/config: core.bare": "false", ".git/config: alias.st": "!evil\x1b[2J"}
    assert trusted.compare(repository, changed) is not None
    return repository, trusted, changed


async def test_what_changed_is_shown_and_trusted(down_client, refused):
    repository, trusted, changed = refused
    where = {"repository": str(repository)}

    shown = (await down_client.get("/v1/repositories/trust", params=where)).json()
    assert shown["changes"] == [{"name": ".git/config: alias.st", "now": "!evil\\x1b[2J"}]
    body = {**where, "content_hash": shown["content_hash"]}
    for _ in range(2):
        assert (await down_client.post("/v1/repositories/trust", json=body)).status_code == 200

    assert trusted.compare(repository, changed) is None


async def test_what_changed_again_is_not_trusted(down_client, refused):
    repository, trusted, changed = refused
    where = {"repository": str(repository)}
    shown = (await down_client.get("/v1/repositories/trust", params=where)).json()
    trusted.compare(repository, {**changed, "hooks/pre-commit": "evil"})

    answer = await down_client.post(
        "/v1/repositories/trust", json={**where, "content_hash": shown["content_hash"]}
    )

    assert answer.status_code == 409
    assert trusted.compare(repository, changed) is not None


async def test_nothing_refused_is_not_found(down_client, tmp_path):
    answer = await down_client.get("/v1/repositories/trust", params={"repository": str(tmp_path)})

    assert answer.status_code == 404
