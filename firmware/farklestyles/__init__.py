"""Styles and pictures that the pages of the table and of a league share."""
