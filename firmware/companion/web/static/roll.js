// What the page derives from a state: which dice are on the shelf, and which die of the picture is which.

// Takes the faces `taken` out of `dice`, the first ones first. Returns for each die whether it was taken.
export function matched(dice, taken) {
  const left = [...taken];
  return dice.map((face) => {
    const found = left.indexOf(face);
    if (found < 0) return false;
    left.splice(found, 1);
    return true;
  });
}

export function same(one, other) {
  return one.length === other.length && matched(one, other).every(Boolean);
}

// Returns the dice on the shelf without those locked earlier in the turn.
export function newOnShelf(state) {
  const locked = matched(state.shelf, state.locked);
  return state.shelf.filter((_, number) => !locked[number]);
}

// For each die of the roll, whether it is on the shelf.
export const setAside = (state) => matched(state.roll, newOnShelf(state));

export const chosenDice = (state) => state.chosen?.dice ?? [];

// For each die of the reading, its place in the roll, or null if it is not of this roll.
export function placesInRoll(state) {
  const aside = setAside(state);
  const locked = [...state.locked];
  const free = new Set(state.roll.keys());
  const take = (face, wanted) => {
    for (const place of free) {
      if (state.roll[place] === face && aside[place] === wanted) {
        free.delete(place);
        return place;
      }
    }
    return null;
  };
  return (state.reading?.dice ?? []).map((die) => {
    if (die.zone !== "shelf") return take(die.face, false);
    const found = locked.indexOf(die.face);
    if (found < 0) return take(die.face, true);
    locked.splice(found, 1);
    return null;
  });
}

// Faces a camera takes for `face`, the likeliest first: those with nearly as many pips.
export function likelyFaces(face) {
  return [1, 2, 3, 4, 5, 6].filter((other) => other !== face)
    .sort((a, b) => Math.abs(a - face) - Math.abs(b - face) || b - a);
}

export const canShelve = (state) => state.simulated && state.phase === "choosing";
