"""Hosts that sandboxed processes may reach through Treadle's proxy: by name, and what never counts as one."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from domain.core.wire import Wire

HTTPS_PORT = 443
ANY = "*"
"""In the user's own setting: every host with a public address."""

KNOWN_HOSTS = (
    # Python
    *("pypi.org", "files.pythonhosted.org", "conda.anaconda.org", "repo.anaconda.com"),
    # JavaScript
    *("registry.npmjs.org", "registry.yarnpkg.com", "nodejs.org", "jsr.io", "npm.jsr.io"),
    *("deno.land", "dl.deno.land", "esm.sh", "bun.sh"),
    # Rust
    *("crates.io", "index.crates.io", "static.crates.io", "static.rust-lang.org"),
    # Go
    *("proxy.golang.org", "sum.golang.org", "go.dev", "dl.google.com"),
    # Java and Kotlin
    *("repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"),
    *("downloads.gradle.org", "maven.google.com"),
    # Ruby, PHP, .NET, Elixir, Haskell, Dart, Swift, Perl, R
    *("rubygems.org", "index.rubygems.org", "packagist.org", "repo.packagist.org"),
    *("api.nuget.org", "www.nuget.org", "hex.pm", "repo.hex.pm", "hackage.haskell.org"),
    *("pub.dev", "swift.org", "download.swift.org", "cpan.metacpan.org", "cloud.r-project.org"),
    # forges
    *("github.com", "api.github.com", "codeload.github.com", "*.githubusercontent.com"),
    *("ghcr.io", "gitlab.com", "bitbucket.org", "codeberg.org"),
)
"""Registries and forges that builds and tests of ordinary repositories ask."""

MODEL_HOSTS = (
    *("api.openai.com", "chatgpt.com", "auth.openai.com", "api.anthropic.com", "claude.ai"),
    *("platform.claude.com", "console.anthropic.com", "generativelanguage.googleapis.com"),
    *("aiplatform.googleapis.com", "oauth2.googleapis.com", "accounts.google.com"),
    *("openrouter.ai", "api.mistral.ai", "api.groq.com", "api.deepseek.com", "api.x.ai"),
    *("api.together.xyz", "api.fireworks.ai", "api.cohere.com", "api.moonshot.ai", "api.z.ai"),
    *("dashscope.aliyuncs.com", "*.dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"),
    *("dashscope-us.aliyuncs.com", "token-plan.cn-beijing.maas.aliyuncs.com"),
    *("token-plan.ap-southeast-1.maas.aliyuncs.com", "chat.qwen.ai", "portal.qwen.ai"),
    *("api-inference.modelscope.cn", "api.githubcopilot.com"),
    *("router.huggingface.co", "models.dev", "opencode.ai", "api.cline.bot", "ollama.com"),
)
"""What an agent reaches whose profile names no hosts: the models' usual ones."""

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_PATTERN = re.compile(rf"(?:\*\.)?{_LABEL}(?:\.{_LABEL})+|{_LABEL}")
_MAX_NAME = 253
_URL = re.compile(r"https?://[^\s\"'`<>,\\]+")
_NAT64 = ip_network("64:ff9b::/96")
_SUFFIX = f":{HTTPS_PORT}"
_LOCAL = ("localhost", ".localhost")

Address = IPv4Address | IPv6Address


class HostRules(Wire):
    """What a process may reach by name: `listed` patterns, and hosts that are `named` to it by the user.

    A name counts for addresses that anybody has; only one that is named may lead to a private one.
    """

    listed: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    def allow(self, host: str) -> bool:
        """Tell whether a host may be reached without a question."""
        return is_among(host, (*self.listed, *self.named))

    def allow_private(self, host: str) -> bool:
        """Tell whether a host may have an address of a private network."""
        return is_among(host, (one for one in self.named if one != ANY))


PATTERN_WORDS = "give a host's name as in pypi.org, or *.example.org for all below it"


def is_pattern(text: str) -> bool:
    """Tell whether a text names a host, or all that lie below one."""
    found = host_of(text.removeprefix("*."))
    is_name = found is not None and address_of(found) is None
    return is_name and _PATTERN.fullmatch(text.lower()) is not None


def _pattern(text: str) -> str:
    """Refuse what is no host's name."""
    if not is_pattern(text):
        raise PydanticCustomError("no_host", PATTERN_WORDS)
    return text.lower()


HostPattern = Annotated[str, AfterValidator(_pattern)]


def host_list(text: str) -> tuple[str, ...]:
    """Return the hosts of a list like `git.example.org, *.example.net`.

    Raises:
        ValueError: One is none; the message says which.
    """
    parts = tuple(filter(None, (part.strip().lower() for part in text.split(","))))
    for part in parts:
        name = host_of(part.removeprefix("*."))
        if part != ANY and (name is None or not (_PATTERN.fullmatch(part) or address_of(name))):
            raise ValueError(f"{part!r} is no host's name as in pypi.org or *.example.org")
    return parts


def checked_hosts(text: str) -> str:
    """Return a list of hosts as it is written.

    Raises:
        ValueError: It is none.
    """
    host_list(text)
    return text


def host_of(text: str) -> str | None:
    """Return a host's name or address as it is compared: small letters, no dot at its end."""
    name = text.strip("[]").lower()
    name = name.removesuffix(".")
    if address_of(name) is not None:
        return name
    return name if len(name) <= _MAX_NAME and _NAME.fullmatch(name) else None


def address_of(name: str) -> Address | None:
    """Return the address that a host is given by, None for a name."""
    try:
        return ip_address(name)
    except ValueError:
        return None


def is_local(host: str) -> bool:
    """Tell whether a host is this machine by its name, whatever resolves it."""
    return host == _LOCAL[0] or host.endswith(_LOCAL[1])


def is_among(host: str, patterns: Iterable[str]) -> bool:
    """Tell whether a host is one of these, or lies below one that begins with `*.`."""
    return any(
        pattern in {host, ANY} or (pattern.startswith("*.") and host.endswith(pattern[1:]))
        for pattern in patterns
    )


def is_public(address: Address) -> bool:
    """Tell whether an address is one of the internet, by every address that lies in it."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def hosts_of_urls(texts: Iterable[str]) -> frozenset[str]:
    """Return the hosts of HTTPS URLs in texts, and of a text that is an address as in `llm.example:443`.

    An agent must reach the model that it is told to use.
    """
    known = [*texts]
    found = {
        host for text in known if (host := host_of(text.removesuffix(_SUFFIX))) and _SUFFIX in text
    }
    for match in (match for text in known for match in _URL.finditer(text)):
        try:
            parts = urlsplit(match[0])
            is_meant = (parts.port or HTTPS_PORT) == HTTPS_PORT and parts.scheme == "https"
            host = host_of(parts.hostname or "") if is_meant else None
        except ValueError:
            continue  # no URL after all: the agent will say so
        if host:
            found.add(host)
    return frozenset(host for host in found if not is_local(host))
