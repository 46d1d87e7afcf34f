from dicereader import read

reading = read("tests/pictures/trays/00104.jpg", expect=6)
print("the dice show", *reading.faces)
print("sure" if reading.sure else f"not sure: {', '.join(reading.doubts) or 'a die is in doubt'}")
