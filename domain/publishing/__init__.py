"""What leaves the machine: pushed branches and pull requests."""
