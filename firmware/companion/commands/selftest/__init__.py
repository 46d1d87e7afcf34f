"""`farklecrib selftest`: each device tried with a person looking and listening. A module a device."""
