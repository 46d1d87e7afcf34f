"""What is known of one tray: its measures, its calibration, its dice set and its printed tags."""
