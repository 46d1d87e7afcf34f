from pathlib import Path

from dicereader import PictureError, Reader

pictures = [*sorted(Path("tests/pictures/trays").glob("0010*.jpg")), Path("missing.jpg")]
reader = Reader()
for picture, reading in zip(pictures, reader.read_all(pictures, expect=6, threads=2), strict=True):
    if isinstance(reading, PictureError):
        print(f"{picture.name}: {reading}")
    else:
        print(picture.name, reading.faces, "sure" if reading.sure else "not sure")
