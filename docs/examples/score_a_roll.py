from farkle import score

for selection in score("Farkle Cribbage", "233346"):
    print(selection.points, selection.dice)
