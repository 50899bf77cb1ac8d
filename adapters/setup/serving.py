"""What a worker serves agents and verification with: its services, and who learns of their ports."""

from pathlib import Path

from adapters.port_leases import FilePortLeases
from adapters.processes.listeners import Listeners
from adapters.setup.served_runner import ServedEnvironments, ServedRunner
from adapters.setup.service_launcher import ServiceLauncher
from adapters.setup.services import HostServices, Neighbours
from adapters.setup.texts import RecipeTexts
from adapters.terminals.ledger import TerminalLedger
from domain.agents.ports import AgentRunner
from domain.core.ports import Journal


class Serving:
    """The services of a data folder, and what they are to its agents."""

    def __init__(self, data_dir: Path, journal: Journal, starting: ServiceLauncher) -> None:
        near = Neighbours(
            RecipeTexts(journal.text), FilePortLeases(data_dir), Listeners(data_dir / "fences")
        )
        ledger = TerminalLedger(data_dir / "services")
        self.services = HostServices(journal, ledger, starting, near)
        self.environments = ServedEnvironments(starting.environments, self.services)

    def runner(self, runner: AgentRunner) -> ServedRunner:
        """Return a runner whose agents find their services running."""
        return ServedRunner(runner, self.services)
