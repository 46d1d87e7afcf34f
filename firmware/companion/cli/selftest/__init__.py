"""`farklecrib selftest`: try each device with a person, one file a device."""
