"""The text of each kind of event, written once for the page, the command line, exports and timelines."""

from domain.reading.event_text import (
    amending,
    bases,
    contests,
    conversations,
    flows,
    journal,
    learnings,
    lifecycle,
    merging,
    money,
    planning,
    publications,
    publishing,
    questions,
    queue,
    retention,
    running,
    setting_up,
    task_plans,
    tasks,
    trackers,
    turns,
    verification,
)
from domain.reading.event_text.registry import DESCRIBED, SILENT, text_of
from domain.reading.event_text.serialized import serialized_text

MODULES = (
    amending,
    bases,
    contests,
    conversations,
    flows,
    journal,
    learnings,
    lifecycle,
    merging,
    planning,
    publications,
    publishing,
    questions,
    queue,
    retention,
    running,
    setting_up,
    task_plans,
    tasks,
    money,
    trackers,
    turns,
    verification,
)
"""Where the kinds of events are described."""

__all__ = ["DESCRIBED", "MODULES", "SILENT", "serialized_text", "text_of"]
