"""The features of the program: each has a room of its own, and none knows another."""
