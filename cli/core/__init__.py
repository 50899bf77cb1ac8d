"""What every command needs: the client, the console, threads by name, confirmation."""
