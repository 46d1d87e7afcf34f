"""MQTT: what happens at the table for a broker, and for Home Assistant through it."""
