"""The way out of a sandbox: no UDP, hosts by name through the proxy, others asked, and no way around."""

import asyncio
import socket
import sys
from ipaddress import ip_address

import pytest

from adapters.egress.dialing import Dialing
from adapters.egress.doors import Gate, Verdict
from adapters.egress.proxy import EgressProxy
from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import SandboxRules
from domain.core.hosts import HostRules
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.task_specs import spec_of

PUBLIC = ip_address("93.184.216.34")
FETCH = """
import base64, os, socket, sys
from urllib.parse import urlsplit
proxy = urlsplit(os.environ["HTTPS_PROXY"])
told = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
for place in sys.argv[1:]:
    with socket.create_connection((proxy.hostname, proxy.port)) as s:
        s.sendall(f"CONNECT {place} HTTP/1.1\\r\\nProxy-Authorization: Basic {told}\\r\\n\\r\\n".encode())
        said = s.makefile()
        first = said.readline()
        if " 200 " in first:
            said.readline()
            first = said.readline()
        print(first.strip())
"""
TRIES = {
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "UDP by IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "UDP-lite": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 136)",
    "pings": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM, 1)",
    "raw packets": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 17)",
    "SCTP": "socket.socket(socket.AF_INET, socket.SOCK_SEQPACKET, 132)",
    "a name": "socket.getaddrinfo('a.example', 443)",
    "port 443 itself": "socket.create_connection(('127.0.0.1', 443), 5)",
    "port 443 by a fast open": "socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', 443))",
    "port 443 by several paths": "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
}


class Net:
    """Hosts by name that lie on this machine: each answers with what it was reached as."""

    def __init__(self):
        self.addresses = {}
        self.asked = []
        self.kept = []
        self.answer = Verdict(is_allowed=True, words="allowed by a person")

    async def resolve(self, host, _port):
        if host not in self.addresses:
            raise OSError("no such name")
        return [ip_address(address) for address in self.addresses[host]]

    async def connect(self, address, _port):
        """Return a connection to a server that says by which address it was reached."""
        ours, its = socket.socketpair()
        its.sendall(f"at {address}\n".encode())
        its.shutdown(socket.SHUT_WR)
        self.kept.append(its)
        return await asyncio.open_connection(sock=ours)

    async def ask(self, host):
        self.asked.append(host)
        return self.answer


@pytest.fixture
def net():
    net = Net()
    yield net
    for one in net.kept:
        one.close()


@pytest.fixture
async def proxy(net, request):
    dialing = Dialing(resolve=net.resolve, connect=net.connect)
    async with EgressProxy(dialing, ask_seconds=getattr(request, "param", 60)) as proxy:
        yield proxy


@pytest.fixture
def host(data_dir, tmp_path, proxy):
    (tmp_path / "home").mkdir()
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    environment = {"PATH": BASE_ENVIRONMENT["PATH"], "HOME": str(tmp_path / "home")}
    host = host_spawner(folders, environment)
    host.confinement.proxy = proxy
    return host


@pytest.fixture
def worktree(data_dir):
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    return folder


async def said_by(host, worktree, script, *arguments, gate=None, rules=None, **more):
    sandbox = (rules or SandboxRules()).of(None, None, **more)
    argv = (sys.executable, "-c", script, *arguments)
    command = Command(argv, worktree, is_merged=True, sandbox=sandbox, gate=gate)
    return (await host.run(command, limit_seconds=60)).output.text()


async def test_a_listed_host_is_reached_by_its_name(host, worktree, net):
    net.addresses["pypi.org"] = [str(PUBLIC)]

    assert await said_by(host, worktree, FETCH, "pypi.org:443") == f"at {PUBLIC}\n"
    assert net.asked == []


@pytest.mark.parametrize("name", TRIES)
async def test_nothing_leaves_without_the_proxy(host, worktree, name):
    script = (
        f"import socket\ntry: {TRIES[name]}; print('left')\nexcept OSError as e: print('refused')"
    )

    assert await said_by(host, worktree, script) == "refused\n"


async def test_nothing_leaves_by_io_uring_or_by_a_network_of_ones_own(host, worktree):
    script = (
        "import ctypes, os, subprocess, socket\n"
        "print(ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(256)))\n"
        "import sys; again = 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)'\n"
        "print(subprocess.run(['unshare', '-Urn', sys.executable, '-c', again],"
        " stderr=-3).returncode != 0)"
    )

    assert await said_by(host, worktree, script) == "-1\nTrue\n"


async def test_other_hosts_are_asked_for(host, worktree, net):
    net.addresses["other.example"] = [str(PUBLIC)]

    reached = await said_by(host, worktree, FETCH, "other.example:443", gate=Gate(net.ask))
    net.answer = Verdict(is_allowed=False, words="'Deny' by ada")
    denied = await said_by(host, worktree, FETCH, "OTHER.example.:443", gate=Gate(net.ask))

    assert reached == f"at {PUBLIC}\n"
    assert denied.startswith("HTTP/1.1 403 ")
    assert "other.example" in denied
    assert "'Deny' by ada" in denied
    assert net.asked == ["other.example"] * 2


@pytest.mark.parametrize("proxy", [0.2], indirect=True)
async def test_a_connection_waits_a_bounded_time_for_a_person(host, worktree, net):
    net.addresses["slow.example"] = [str(PUBLIC)]
    answered = asyncio.Event()

    async def ask(host):
        net.asked.append(host)
        await answered.wait()
        return net.answer

    told = await said_by(host, worktree, FETCH, "slow.example:443", gate=Gate(ask))

    assert told.startswith("HTTP/1.1 403 ")
    assert "a person is being asked" in told
    assert net.asked == ["slow.example"]


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.7", "169.254.169.254", "192.168.1.1", "100.64.0.1"),
        *("::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
    ],
)
async def test_a_name_that_leads_inside_is_refused_though_a_person_allowed_it(
    host, worktree, net, address
):
    net.addresses["rebound.example"] = [address]
    gate = Gate(net.ask)

    told = await said_by(host, worktree, FETCH, "rebound.example:443", gate=gate)

    assert told.startswith("HTTP/1.1 403 ")
    assert "private network" in told
    assert gate.refused == ["rebound.example"]


async def test_a_name_that_also_leads_inside_is_reached_outside(host, worktree, net):
    net.addresses["pypi.org"] = ["127.0.0.1", str(PUBLIC)]

    assert await said_by(host, worktree, FETCH, "pypi.org:443") == f"at {PUBLIC}\n"


async def test_a_host_that_the_user_names_may_be_of_a_private_network(host, worktree, net):
    net.addresses["llm.corp.example"] = ["10.0.0.7"]
    named = HostRules(named=("llm.corp.example",))
    rules = SandboxRules(hosts=("*.corp.example",))

    assert await said_by(host, worktree, FETCH, "llm.corp.example:443", hosts=named) == (
        "at 10.0.0.7\n"
    )
    assert await said_by(host, worktree, FETCH, "llm.corp.example:443", rules=rules) == (
        "at 10.0.0.7\n"
    )


@pytest.mark.parametrize(
    "place",
    [
        *("127.0.0.1:443", "[::1]:443", "localhost:443", "93.184.216.34:443", "2130706433:443"),
        *("pypi.org:80", "pypi.org:22", "127.0.0.1:7233", "a b:443", "pypi.org", "pypi.org:0"),
        *("pypi.org%00.evil.example:443", "evil.example/pypi.org:443", "pypi.org.evil.example:443"),
    ],
)
async def test_what_is_no_listed_name_on_443_is_refused(host, worktree, net, place):
    for name in ("pypi.org", "localhost", "2130706433", "pypi.org.evil.example"):
        net.addresses[name] = [str(PUBLIC)]

    assert (await said_by(host, worktree, FETCH, place)).startswith(
        ("HTTP/1.1 403 ", "HTTP/1.1 400 ")
    )


async def test_a_port_that_is_open_anyway_is_reached_by_the_proxy_too(host, worktree, net):
    net.addresses["localhost"] = ["127.0.0.1"]

    assert await said_by(host, worktree, FETCH, "localhost:11434", connect=(11_434,)) == (
        "at 127.0.0.1\n"
    )


async def test_a_sandbox_reaches_nothing_by_anothers_token_or_by_none(host, worktree, proxy, net):
    net.addresses["pypi.org"] = [str(PUBLIC)]
    door = proxy.open(SandboxRules().of(None, None))
    proxy.close(door)
    for token in ("", "guessed", door.token):
        script = FETCH.replace("{proxy.password}", token)

        assert (await said_by(host, worktree, script, "pypi.org:443")).startswith("HTTP/1.1 407 ")


async def test_a_token_is_void_when_its_process_has_ended(host, worktree, proxy):
    script = "import os; print(os.environ['HTTPS_PROXY'])"
    url = (await said_by(host, worktree, script)).strip()
    token = url.partition("treadle:")[2].partition("@")[0]

    assert token
    told = await said_by(host, worktree, FETCH.replace("{proxy.password}", token), "pypi.org:443")
    assert told.startswith("HTTP/1.1 407")


async def test_a_step_names_the_hosts_that_it_did_not_reach(host, repository, data_dir):
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    (folder / "fetch.py").write_text(FETCH)
    place = StepPlace(folder, spec_of(repository, "task-1"))
    verifier = StepVerifier(host, rules=SandboxRules())
    fetch = f"{sys.executable} fetch.py other.example:443"

    async def run(command):
        step = VerificationStep(id="s", type=StepType.COMMAND, command=command)
        return (await verifier.run_step(step, place, lambda: None))[0]

    passed, failed = await run(fetch), await run(f"{fetch}; exit 1")

    assert passed.sandbox.endswith("; refused: other.example")
    assert "Its sandbox refused: other.example" in failed.output
    assert "TREADLE_SANDBOX_HOSTS" in failed.output


async def test_without_a_proxy_nothing_is_reached(host, worktree):
    host.confinement.proxy = None
    assert "KeyError" in await said_by(host, worktree, FETCH, "pypi.org:443")


async def test_plain_http_reaches_open_ports_only(host, worktree, net):
    net.addresses["model.example"] = ["10.0.0.7"]
    script = (
        "import urllib.request as r\n"
        "try: print(r.urlopen('http://model.example:8000/v1').read())\n"
        "except Exception as e: print(e)\n"
        "try: r.urlopen('http://pypi.org/')\n"
        "except Exception as e: print(e)"
    )

    told = await said_by(host, worktree, script, connect=(8000,))

    first, second = filter(None, told.splitlines())
    assert first.startswith("at 10.0.0.7")
    assert "403" in second
