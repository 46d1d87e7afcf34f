"""One tray: its measures, its calibration, its dice, its printed tags, and where it is in a picture."""
