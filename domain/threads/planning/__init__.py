"""Planners, proposals, critics and the approval of plans."""
