"""The steps that read a calibrated tray with known dice and a picture of the empty tray."""
