from itertools import product
from pathlib import Path

from farkle import own_rule_set, score

FILE = "docs/examples/fives-count.toml"

rules = own_rule_set(Path(FILE).read_text(encoding="utf-8"), FILE)
rolls = [[score(rules, roll) for roll in product(range(1, 7), repeat=size)] for size in range(1, 7)]
print("farkles =", [sum(not each for each in found) for found in rolls])
print("selections =", [sum(len(each) for each in found) for found in rolls])
print("best_scores =", [sum(each[0].points for each in found if each) for found in rolls])
