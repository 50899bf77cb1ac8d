"""What all resources of the API share: the gate, errors, projections, the client of workflows."""
