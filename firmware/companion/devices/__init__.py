"""The devices of a table: the eye process, lights, buttons and sound, joined to the host."""
