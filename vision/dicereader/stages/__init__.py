"""The steps of reading a picture, one a file, in the order of docs/vision.md."""
