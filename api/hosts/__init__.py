"""Hosts: list, cordon, drain and give up."""
