from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import parse_dice
from farkle.rules.selections import legal_selections

rules = find_rule_set("Farkle Cribbage")
for selection in legal_selections(rules, parse_dice("233346")):
    print(selection.points, selection.dice)
