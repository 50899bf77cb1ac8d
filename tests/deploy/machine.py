"""What podman is told on machines that are containers or small virtual machines themselves."""

import resource
from pathlib import Path

HYBRID = Path("/sys/fs/cgroup/unified")
"""Where version 2 of control groups lies beside version 1, which crun does not take."""

MOST_PROCESSES = 4096


def configuration() -> str:
    """Return a containers.conf for this machine: limits that need no right to raise any."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limits = [f"nofile={soft}:{hard}", f"nproc={MOST_PROCESSES}:{MOST_PROCESSES}"]
    runtime = 'runtime = "runc"\n' if HYBRID.is_dir() else ""
    return f"[containers]\ndefault_ulimits = {limits}\n[engine]\n{runtime}".replace("'", '"')
