"""The workflows: deterministic, thin over the rules in domain/."""

from workflows.agents import AgentCheckWorkflow
from workflows.session import SessionWorkflow
from workflows.task import TaskWorkflow
from workflows.thread import ThreadWorkflow

WORKFLOWS = (ThreadWorkflow, TaskWorkflow, SessionWorkflow, AgentCheckWorkflow)
"""What the worker and the replayer register."""
