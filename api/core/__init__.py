"""What every resource of the API shares: the gate before the routes, errors, projections, the way to workflows."""
