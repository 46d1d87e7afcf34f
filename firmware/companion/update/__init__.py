"""Updates of the Debian package that can be taken back: a version is tried first, and the former is kept."""
