"""The eye: a camera frame in, a dice reading out."""
