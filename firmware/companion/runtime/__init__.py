"""The running table: the host, its feed, the guards and heartbeats of its parts, and systemd."""
