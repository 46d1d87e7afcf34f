"""The guard before the application: who may do what, how much of it, over which connection, and TLS."""
