"""MQTT, and Home Assistant by it."""
