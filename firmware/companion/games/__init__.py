"""The games kept: reports, statistics, fairness, throw images, exports, and the socket that commands ask."""
