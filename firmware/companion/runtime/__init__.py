"""What runs the table: the host, its feed, heartbeats of its threads, and systemd."""
