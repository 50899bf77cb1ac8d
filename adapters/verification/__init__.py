"""The `Verifier` port: commands, scripts, files and health checks."""
