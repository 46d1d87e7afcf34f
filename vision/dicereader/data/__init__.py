"""Pictures, frames and arrays as data: their types, files and checks; and the camera modules."""
