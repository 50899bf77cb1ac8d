"""What people are told of what waits for them: rules, messages, and the record of what was sent."""
