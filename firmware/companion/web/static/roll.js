// Values derived from a state: which dice are kept, what a tap on a die chooses, which die of the picture is which.

import { t } from "./words.js";

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

const within = (few, many) => matched(few, many).every(Boolean);

export const same = (one, other) => one.length === other.length && within(one, other);

// Returns the dice on the shelf without those locked earlier in the turn.
export function newOnShelf(state) {
  const locked = matched(state.shelf, state.locked);
  return state.shelf.filter((_, number) => !locked[number]);
}

// For each die of the roll, whether it is on the shelf.
export const setAside = (state) => matched(state.roll, newOnShelf(state));

export const chosenDice = (state) => state.chosen?.dice ?? [];

// The places of the tapped dice, and their throw: of equal dice, the tapped ones are shown as kept.
let tappedIn = null;
let tappedPlaces = [];

// For each die of the roll, whether it is kept.
export function keptPlaces(state) {
  const first = tappedIn === state.throw_seq ? tappedPlaces : [];
  const order = [...first, ...[...state.roll.keys()].filter((place) => !first.includes(place))];
  const taken = matched(order.map((place) => state.roll[place]), chosenDice(state));
  return state.roll.map((_, place) => taken[order.indexOf(place)]);
}

// What a tap on the die at `place` does: `dice` to keep in place of those kept now, or `why` the tap does nothing. With
// `only` "keep" a kept die stays kept.
export function tapOn(state, place, only = null) {
  if (state.phase !== "choosing") return { why: t("tap.not_now") };
  if (state.bot) return { why: t("tap.bot_decides", { name: state.to_move }) };
  if (newOnShelf(state).length) return { why: t("tap.shelf_counts") };
  const face = state.roll[place];
  const chosen = chosenDice(state);
  const kept = keptPlaces(state);
  const possible = state.selections.map((one) => one.dice);
  if (tappedIn !== state.throw_seq) tappedPlaces = [];
  tappedIn = state.throw_seq;
  if (kept[place] && only === "keep") return {};
  if (kept[place]) {
    const rest = [...chosen];
    rest.splice(rest.indexOf(face), 1);
    tappedPlaces = tappedPlaces.filter((one) => one !== place);
    const left = possible.filter((dice) => within(dice, rest)).sort((a, b) => b.length - a.length);
    return { dice: left[0] ?? [] };
  }
  const fewest = (wanted) => possible.filter((dice) => within(wanted, dice)).sort((a, b) => a.length - b.length)[0];
  const dice = fewest([...chosen, face]) ?? fewest([face]);
  if (!dice) return { why: t("tap.does_not_count", { face }) };
  tappedPlaces = [place, ...tappedPlaces];
  return { dice };
}

// For each die of the reading, its place in the roll, or null if it is not of this roll.
export function placesInRoll(state) {
  const aside = setAside(state);
  const locked = [...state.locked];
  const free = new Set(state.roll.keys());
  const take = (fits) => {
    for (const place of free) {
      if (fits(place)) {
        free.delete(place);
        return place;
      }
    }
    return null;
  };
  const places = (state.reading?.dice ?? []).map((die) => {
    if (die.zone !== "shelf") return take((place) => state.roll[place] === die.face && !aside[place]);
    const found = locked.indexOf(die.face);
    if (found < 0) return take((place) => state.roll[place] === die.face && aside[place]);
    locked.splice(found, 1);
    return undefined; // kept in an earlier throw
  });
  // A die whose face was corrected is still read with the old face: it is the one that remains.
  const whole = state.roll.length > 0 && places.filter((place) => place !== undefined).length === state.roll.length;
  return places.map((place) => (place === null && whole ? take(() => true) : place ?? null));
}

// The places in the roll of dice that the camera doubts. A corrected die is not in doubt.
export function doubtfulPlaces(state) {
  const places = placesInRoll(state);
  return places.filter((place, number) => {
    const die = state.reading.dice[number];
    return place !== null && die.doubts.length > 0 && die.face === state.roll[place];
  });
}

// Faces a camera takes for `face`, the likeliest first: those with nearly as many pips.
export function likelyFaces(face) {
  return [1, 2, 3, 4, 5, 6].filter((other) => other !== face)
    .sort((a, b) => Math.abs(a - face) - Math.abs(b - face) || b - a);
}
