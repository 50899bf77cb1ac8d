"""News: the follower of the inbox, and the channels that messages go out by."""
