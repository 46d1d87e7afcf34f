"""The pips of faces, found and measured exactly: a calibration learns from them."""
