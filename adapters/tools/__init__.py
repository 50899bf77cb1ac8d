"""The tool server: what agents can call, over MCP on loopback."""
