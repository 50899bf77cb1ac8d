"""Which models there are: by the keys in the environment, and by name. The standard library only.

A model is named `PROVIDER:NAME`. TREADLE_AGENT_MODEL names the one that is taken by default; any
name that the provider knows may stand there.
"""

import json
import os
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass

MODEL_VARIABLE = "TREADLE_AGENT_MODEL"
CONTEXT_VARIABLE = "TREADLE_AGENT_CONTEXT_TOKENS"
OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://127.0.0.1:11434/v1"
LIST_SECONDS = 2.0
MAX_LISTED = 50

NO_KEY = (
    "no model can be reached: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY; or for a server "
    "of your own OPENAI_BASE_URL (like http://127.0.0.1:11434/v1 for Ollama), or "
    f"{MODEL_VARIABLE}=ollama:NAME"
)


@dataclass(frozen=True)
class Provider:
    """One provider: any one of `keys` is a login; the first of `models` is the default.

    `url` is the variable that leads elsewhere.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    url: str
    models: tuple[tuple[str, str], ...]


# Written on 2026-11-22 from what the three providers document; the middle of their ranges comes first:
# strong at code and tools, a fifth of the price of the top. Models may be named that do not stand here.
PROVIDERS = (
    Provider(
        "anthropic",
        "Anthropic",
        ("ANTHROPIC_API_KEY",),
        "ANTHROPIC_BASE_URL",
        (
            ("claude-sonnet-5-5", "Claude Sonnet 5.5"),
            ("claude-opus-5-5", "Claude Opus 5.5"),
            ("claude-fable-5-1", "Claude Fable 5.1"),
            ("claude-haiku-5-5", "Claude Haiku 5.5"),
        ),
    ),
    Provider(
        "openai",
        "OpenAI",
        ("OPENAI_API_KEY",),
        "OPENAI_BASE_URL",
        (
            ("gpt-6.1-sol", "GPT-6.1 Sol"),
            ("gpt-6-astra", "GPT-6 Astra"),
            ("gpt-6-luna", "GPT-6 Luna"),
        ),
    ),
    Provider(
        "google",
        "Google",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "GOOGLE_GEMINI_BASE_URL",
        (
            ("gemini-3.8-flash", "Gemini 3.8 Flash"),
            ("gemini-4-argon", "Gemini 4 Argon"),
            ("gemini-3.5-flash-lite", "Gemini 3.5 Flash Lite"),
        ),
    ),
)
PREFIXES = ("openai", "openai-chat", "openai-responses", "anthropic", "google", "ollama")
"""What a model's name may begin with. `openai` speaks Responses to OpenAI and Chat to all others."""

SECRETS = frozenset(key for provider in PROVIDERS for key in provider.keys)
"""What commands that the agent runs are not given."""


@dataclass(frozen=True)
class Model:
    """A model that can be chosen."""

    model_id: str
    title: str


def base_url(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return where a provider's own variable leads, None where there is none."""
    if name == "ollama":
        host = environment.get("OLLAMA_HOST", "")
        host = f"{host if '//' in host else f'http://{host}'}/v1" if host else OLLAMA_URL
        return environment.get("OLLAMA_BASE_URL") or host
    urls = {provider.name: provider.url for provider in PROVIDERS}
    return environment.get(urls[name.partition("-")[0]]) or None


def key(name: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return a provider's key, None where it is not set."""
    keys = next((p.keys for p in PROVIDERS if p.name == name.partition("-")[0]), ())
    return next((environment[k] for k in keys if environment.get(k)), None)


def context_tokens(environment: Mapping[str, str] = os.environ) -> int | None:
    """Return the size of the context that the user set, for models that nobody knows."""
    own = environment.get(CONTEXT_VARIABLE, "")
    return int(own) if own.isdecimal() and int(own) > 0 else None


def is_reachable(provider: Provider, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a provider can be asked: by a key, or as an OpenAI-like server of one's own."""
    return key(provider.name, environment) is not None or (
        provider.name == "openai" and base_url("openai", environment) is not None
    )


def offered(environment: Mapping[str, str] = os.environ) -> list[Model]:
    """Return the models that can be chosen, the default first; asks a server of one's own for its list.

    Empty where there is neither a key nor a server.
    """
    found = [Model(chosen, chosen)] if (chosen := environment.get(MODEL_VARIABLE, "")) else []
    if chosen.startswith("ollama:"):
        found += _listed("ollama", environment)
    for provider in PROVIDERS:
        if not is_reachable(provider, environment):
            continue
        own = provider.name == "openai" and base_url("openai", environment) is not None
        known = [Model(f"{provider.name}:{n}", title) for n, title in provider.models]
        found += (_listed(provider.name, environment) or known) if own else known
    unique = {model.model_id: model for model in reversed(found)}
    return [unique[model_id] for model_id in dict.fromkeys(m.model_id for m in found)]


def problem_of(model_id: str, environment: Mapping[str, str] = os.environ) -> str:
    """Say why a model can't be asked; an empty text where it can."""
    prefix, _, name = model_id.partition(":")
    if prefix not in PREFIXES or not name:
        return (
            f"{model_id!r} names no model: write PROVIDER:NAME, with one of {', '.join(PREFIXES)}"
        )
    if prefix == "ollama" or key(prefix, environment) is not None:
        return ""
    if prefix.startswith("openai") and base_url("openai", environment) is not None:
        return ""
    keys = next(p.keys for p in PROVIDERS if p.name == prefix.partition("-")[0])
    return f"model {model_id!r} needs a key: set {' or '.join(keys)}"


def _listed(name: str, environment: Mapping[str, str]) -> list[Model]:
    """Ask an OpenAI-like server for its models; none where it does not say soon."""
    request = urllib.request.Request(f"{(base_url(name, environment) or '').rstrip('/')}/models")  # noqa: S310  (the user's own variable)
    if (own := key(name, environment)) is not None:
        request.add_header("Authorization", f"Bearer {own}")
    try:
        with urllib.request.urlopen(request, timeout=LIST_SECONDS) as answer:  # noqa: S310
            listing = json.load(answer)
        names = [str(row["id"]) for row in listing["data"]]
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return [Model(f"{name}:{one}", one) for one in names[:MAX_LISTED]]
