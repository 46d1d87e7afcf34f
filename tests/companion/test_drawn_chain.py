"""World in, observation out: hands, drawn frames, settling and reading together, on a clock moved by hand."""

import random
from dataclasses import replace

import pytest
from clumsy_hands import ClumsyHands, Manner
from drawn import DrawnTable

from dicereader.reading import Fate, Observation, Zone
from dicereader.sources.synthetic.world import Lighting, World


def thrown_faces(seen: Observation) -> list[int]:
    return sorted(seen.reading.dice[i].face for i in seen.episode.thrown())


def thrown_table(seed: int) -> tuple[DrawnTable, ClumsyHands]:
    """Return a table where a throw lies, and its hands."""
    table = DrawnTable(seed)
    table.play(table.hands.throw([1, 5, 2, 3, 4, 4]).at_rest())
    return table, table.hands


@pytest.mark.exhaustive  # quick throws are seen in each run
@pytest.mark.parametrize("seed", [21, 22])
def test_throws_are_each_seen_once_and_read_right(seed):
    rng = random.Random(seed)
    table = DrawnTable(seed)
    (first,) = table.play(table.hands.still())
    assert first.episode.first
    for _ in range(4):
        faces = sorted(rng.randint(1, 6) for _ in range(6))
        (seen,) = table.play(table.hands.throw(faces))
        assert thrown_faces(seen) == faces
        assert seen.reading.sure


@pytest.mark.exhaustive
def test_dice_set_aside_are_placed_on_the_shelf_and_the_rest_is_thrown_again():
    table = DrawnTable(31)
    table.play(table.hands.still())
    table.play(table.hands.throw([1, 5, 2, 3, 4, 4]))
    (aside,) = table.play(table.hands.shelve(table.hands.find([1, 5])))
    on_shelf = [i for i, die in enumerate(aside.reading.dice) if die.zone is Zone.SHELF]
    assert sorted(aside.reading.dice[i].face for i in on_shelf) == [1, 5]
    assert {aside.episode.fates[i] for i in on_shelf} == {Fate.PLACED}
    assert aside.episode.fates.count(Fate.STAYED) == 4
    (again,) = table.play(table.hands.throw([6, 6, 2, 3]))
    assert thrown_faces(again) == [2, 3, 6, 6]
    assert again.episode.fates.count(Fate.STAYED) == 2


@pytest.mark.parametrize(
    ("seed", "counts"),
    [(37, (6, 4)), *(pytest.param(seed, (6, 4, 3, 1, 6), marks=pytest.mark.exhaustive) for seed in (37, 38))],
)
def test_quick_throws_are_each_seen_once_and_read_right_with_what_they_put_aside(seed, counts):
    table, rng = DrawnTable(seed), random.Random(seed)
    table.play(table.hands.still())
    for count in counts:
        aside = rng.sample(table.hands.rolled, len(table.hands.rolled) - count) if 0 < count < 6 else ()
        faces = sorted(rng.randint(1, 6) for _ in range(count))
        dice = [i for i in table.hands.rolled if i not in aside] if aside else range(6)
        table.settler.expect((count,))
        (seen,) = table.play(table.hands.quick_throw(faces, dice, aside))
        assert thrown_faces(seen) == faces
        assert seen.reading.sure
        on_shelf = [die.face for die in seen.reading.dice if die.zone is Zone.SHELF]
        assert sorted(on_shelf) == sorted(table.hands.faces[i] for i in table.hands.shelved)


@pytest.mark.exhaustive
def test_dice_left_lying_while_others_are_thrown_have_stayed():
    table, _ = thrown_table(32)
    (seen,) = table.play(table.hands.throw([2, 3, 6, 6], dice=[2, 3, 4, 5]))
    assert thrown_faces(seen) == [2, 3, 6, 6]
    stayed = [seen.reading.dice[i].face for i, fate in enumerate(seen.episode.fates) if fate is Fate.STAYED]
    assert sorted(stayed) == [1, 5]


@pytest.mark.exhaustive
def test_nothing_is_read_from_a_black_camera_with_confidence():
    table = DrawnTable(33)
    world = table.hands.still()
    table.play(world)
    for seen in table.play(World(world.seed, world.dice, light=Lighting(level=0.0))):
        assert not seen.reading.sure


@pytest.mark.parametrize(
    "manner",
    [
        pytest.param(Manner(lingers_s=0.8, spin_s=0.8), marks=pytest.mark.exhaustive),
        Manner(hops=1),
        pytest.param(Manner(strikes=0), marks=pytest.mark.exhaustive),
    ],
)
def test_a_throw_with_a_mishap_is_that_throw_and_no_other(manner):
    table, hands = thrown_table(34)
    (seen,) = table.play(hands.throw([2, 3, 6, 6], [2, 3, 4, 5], manner))
    assert thrown_faces(seen) == [2, 3, 6, 6]
    assert len(seen.episode.hopped) == manner.hops


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_what_hands_do_beside_throwing_is_no_throw(quick):
    table, hands = thrown_table(35)
    acts = (hands.nudge(1), hands.bump(0.6, -0.5))
    acts = acts if quick else (*acts, hands.hover(), hands.take_away([0]), hands.relight(0.7))
    assert [thrown_faces(seen) for world in acts for seen in table.play(world) if seen.episode.thrown()] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("x_mm", "y_mm", "turn_deg"), [(0.8, 0.6, -0.28), (0.0, 0.9, 0.3)])
def test_a_tray_that_the_throwing_hand_pushes_is_read_as_soon_as_the_dice_are_still(x_mm, y_mm, turn_deg):
    table, hands = thrown_table(36)
    world = replace(hands.throw([2, 3, 6, 6], [2, 3, 4, 5]), jolts=hands.bump(x_mm, y_mm, turn_deg).jolts)
    (seen,) = table.play(world)
    assert thrown_faces(seen) == [2, 3, 6, 6]
