"""What doors and the follower of news read, kept between looks: threads, runs, the queue, the inbox."""
