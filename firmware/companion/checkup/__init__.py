"""Check a table's devices and its machine, name the cure of each problem, and try each device with a person."""
