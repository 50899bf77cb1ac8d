"""The workflows: deterministic, thin over the rules in domain/."""

from workflows.session import SessionWorkflow
from workflows.task import TaskWorkflow
from workflows.thread import ThreadWorkflow

WORKFLOWS = (ThreadWorkflow, TaskWorkflow, SessionWorkflow)
"""What the worker and the replayer register."""
