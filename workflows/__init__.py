"""The workflows: deterministic, thin over the rules in domain/."""

from workflows.agents import AgentCheckWorkflow
from workflows.branches import ChangesQueryWorkflow, ConflictQueryWorkflow, ContentQueryWorkflow
from workflows.ended import EndedWorkflow
from workflows.file_queries import FileQueryWorkflow
from workflows.flow import FlowWorkflow
from workflows.host_files import HostFilesWorkflow
from workflows.money import MoneyWorkflow
from workflows.pruning import PruneWorkflow
from workflows.publication import PublicationWorkflow
from workflows.queue import QueueWorkflow
from workflows.recipes import RecipeCheckWorkflow
from workflows.scheduled import ScheduledWorkflow
from workflows.services import ServiceWorkflow
from workflows.session import SessionWorkflow
from workflows.task import TaskWorkflow
from workflows.thread import ThreadWorkflow
from workflows.tracker import TrackerWorkflow

WORKFLOWS = (
    ThreadWorkflow,
    TaskWorkflow,
    SessionWorkflow,
    AgentCheckWorkflow,
    RecipeCheckWorkflow,
    ServiceWorkflow,
    EndedWorkflow,
    FileQueryWorkflow,
    HostFilesWorkflow,
    ChangesQueryWorkflow,
    ConflictQueryWorkflow,
    ContentQueryWorkflow,
    ScheduledWorkflow,
    QueueWorkflow,
    FlowWorkflow,
    PruneWorkflow,
    PublicationWorkflow,
    TrackerWorkflow,
    MoneyWorkflow,
)
"""What the worker and the replayer register."""
