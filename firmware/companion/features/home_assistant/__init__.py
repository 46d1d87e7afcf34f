"""Send events and the state of the table to an MQTT broker and to Home Assistant."""
