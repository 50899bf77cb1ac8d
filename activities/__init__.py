"""What workflows ask of the outside world: one model in, one port called, errors translated."""
