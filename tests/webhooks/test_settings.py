"""What the settings of webhooks refuse, and how secrets are read."""

import pytest
from pydantic import ValidationError

from api.webhooks.secrets import WebhookSecretError, checked_secrets, secrets_of
from settings import Settings, environment_of
from settings.webhooks import WebhookSender, WebhooksTable

GIVEN = {"name": "hub", "kind": "github", "secret_env": "HUB_KEY"}
STANDARD = {**GIVEN, "kind": "standard"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({**GIVEN, "secret_env": None}, "give either secret_env or secret_file"),
        ({**GIVEN, "secret_file": "x"}, "give either secret_env or secret_file"),
        ({**GIVEN, "kind": "svn"}, "github"),
        ({**GIVEN, "name": "../v1"}, "pattern"),
        ({**GIVEN, "template": "t", "repository": "/r"}, "only a sender of the kind standard"),
        ({**STANDARD, "template": "t"}, "name the repository"),
        ({**STANDARD, "agent": "codex"}, "name one"),
        ({**GIVEN, "secret": "x"}, "Extra inputs"),
    ],
)
def test_a_wrong_sender_is_refused_in_words(given, words) -> None:
    with pytest.raises(ValidationError, match=words):
        WebhookSender.model_validate(given)


@pytest.mark.parametrize("listen", ["8430", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:70000", "x y:1"])
def test_an_address_that_is_none_is_refused(listen) -> None:
    with pytest.raises(ValidationError):
        WebhooksTable(listen=listen)


def test_two_senders_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="two senders called hub"):
        WebhooksTable.model_validate({"senders": [GIVEN, GIVEN]})


def test_webhooks_are_off_unless_they_have_an_address() -> None:
    assert not Settings().webhooks.is_on


def test_a_child_gets_the_senders_that_this_process_has(tmp_path, monkeypatch) -> None:
    table = WebhooksTable(listen="[::1]:8430", senders=(WebhookSender.model_validate(GIVEN),))
    handed = environment_of(Settings(data_dir=tmp_path, webhooks=table))
    for name, value in handed.items():
        if name.startswith("TREADLE_WEBHOOKS"):
            monkeypatch.setenv(name, value)

    assert Settings(data_dir=tmp_path).webhooks == table
    assert table.address == ("::1", 8430)


def test_a_secret_file_may_be_named_from_the_home_folder(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "hub").write_text("a" * 32)
    sender = WebhookSender.model_validate({"name": "hub", "kind": "github", "secret_file": "~/hub"})

    assert secrets_of(sender) == ["a" * 32]


@pytest.mark.parametrize("secret", ["", "  ", "short", " ".join(["a" * 20] * 5)])
def test_a_sender_without_a_usable_secret_proves_nothing(secret, monkeypatch) -> None:
    monkeypatch.setenv("HUB_KEY", secret)
    sender = WebhookSender.model_validate(GIVEN)

    assert secrets_of(sender) == ()
    with pytest.raises(WebhookSecretError, match="webhook hub") as error:
        checked_secrets(sender)
    assert "short" not in str(error.value).replace("shorter", "")
