"""What bounds an agent: budgets, tools, and the limits of providers."""
