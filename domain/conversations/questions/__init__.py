"""Questions of agents to the person: permissions, and decisions that an agent does not make alone."""
