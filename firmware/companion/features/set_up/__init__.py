"""Set a table up from a browser: its settings, the cameras found, trials of lights, buttons and sound, a backup."""
