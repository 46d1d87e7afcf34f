"""The set-up and the settings of a table in the browser."""
