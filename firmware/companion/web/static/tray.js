// The tray: the camera's picture with what was read drawn over it, and the shelf as a strip of six places.

import { byId, die, el, svg, watching } from "./dom.js";
import { handleDice } from "./drag.js";
import { chosenDice, keptPlaces, matched, newOnShelf, placesInRoll } from "./roll.js";
import { listed, spoken, t } from "./words.js";

const POCKETS = 6;
const USUAL_SIZE = [960, 720];
const LIVE_MS = 200;
const ON_SHELF = { locked: "die.kept", chosen: "die.chosen", aside: "die.aside", idle: "die.idle" };
const AROUND = 24; // pixels of the picture around a die, for its number

// The part of the picture to show: its middle in the shape of the felt, extended to hold the shelf and every die.
function shownPart([width, height], dice, corners, shape) {
  const side = Math.min(width, height);
  const [wide, high] = [Math.min(side, side * shape), Math.min(side, side / shape)];
  const box = { left: (width - wide) / 2, top: (height - high) / 2, right: (width + wide) / 2, bottom: (height + high) / 2 };
  const ends = dice.flatMap(({ box: [x, y, w, h] }) => [[x - AROUND, y - AROUND], [x + w + AROUND, y + h + AROUND]]);
  for (const [x, y] of [...corners, ...ends]) {
    box.left = Math.max(Math.min(box.left, x), 0);
    box.top = Math.max(Math.min(box.top, y), 0);
    box.right = Math.min(Math.max(box.right, x), width);
    box.bottom = Math.min(Math.max(box.bottom, y), height);
  }
  return [box.left, box.top, box.right - box.left, box.bottom - box.top].map(Math.round);
}

// A polygon's corners as SVG points, moved outwards by `by`, so that the line is beside the die.
function around(corners, by) {
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  return corners.map(([x, y]) => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    const longer = 1 + by / (Math.hypot(dx, dy) || 1);
    return `${(middle[0] + dx * longer).toFixed(1)},${(middle[1] + dy * longer).toFixed(1)}`;
  }).join(" ");
}

// `hands` takes a tap, a long press and a drop of a die by its place in the roll; null on a page that only watches, which
// gets no picture of the camera either.
export function createTray(hands) {
  const [felt, shelf] = [byId("felt"), byId("shelf")];
  const picture = svg("image", { class: "picture" });
  const drop = svg("polygon", { class: "drop", hidden: true });
  const seen = svg("g", { class: "seen" });
  const view = svg("svg", { preserveAspectRatio: "xMidYMid meet", role: "group", "aria-label": t("tray.picture") }, picture, drop, seen);
  felt.prepend(view);
  let state = null;
  let wanted;
  let missing = true; // there is no picture to show, so the dice are drawn
  let first = true;

  // The next picture is loaded before it is shown, so that the tray never flickers.
  function showPicture(address, onDone = () => {}) {
    if (address === wanted) return;
    wanted = address;
    if (!address || watching) {
      miss(true);
      return;
    }
    const next = new Image();
    const loaded = (there) => {
      if (address !== wanted) return;
      if (there) picture.setAttribute("href", address);
      miss(!there);
      onDone();
    };
    next.onload = () => loaded(true);
    next.onerror = () => loaded(false);
    next.src = address;
  }

  function miss(now) {
    picture.toggleAttribute("hidden", now);
    if (missing === now) return;
    missing = now;
    drawSeen();
  }

  // While dice move, shows the tray live: each picture is requested after the last one has arrived.
  let pictures = 0;
  let live = false;
  function follow() {
    live = state.phase === "rolling" && state.reading !== null && !document.hidden && !watching;
    if (!live) {
      showPicture(state.reading?.picture ?? null);
      return;
    }
    pictures += 1;
    showPicture(`/api/v1/tray.jpg?now=${pictures}`, () => setTimeout(follow, LIVE_MS));
  }

  // A die of the picture. Keys and screen readers use the row of the roll instead, so that each die is one stop.
  function drawnDie(one, place, kept, unit, middle) {
    const [x, y, w, h] = one.box;
    const face = place === null ? one.face : state.roll[place]; // a corrected face shows at once
    const doubtful = one.doubts.length > 0 && face === one.face;
    const inner = [one.outline?.length > 2
      ? svg("polygon", { class: "outline", points: around(one.outline, 3 * unit) })
      : svg("rect", { class: "outline", x: x - 2 * unit, y: y - 2 * unit, width: w + 4 * unit, height: h + 4 * unit, rx: 5 * unit })];
    if (missing) inner.unshift(svg("use", { href: `#die-${face}`, x, y, width: w, height: h }));
    const radius = 8.5 * unit;
    // The number is at the corner that is turned away from the other dice.
    const out = 4 * unit;
    const [cx, cy] = [x + w / 2 < middle[0] ? x - out : x + w + out, y + h / 2 < middle[1] ? y - out : y + h + out];
    inner.push(
      svg("circle", { class: "badge", cx, cy, r: radius }),
      svg("text", { class: "digit", x: cx, y: cy, "font-size": 12 * unit }, `${face}${doubtful ? "?" : ""}`));
    const named = one.zone === "shelf" ? t("die.on_shelf", { face }) : kept ? t("die.kept", { face }) : spoken([face]);
    const doubts = listed(one.doubts.map((doubt) => t(`doubt.${doubt}`)));
    return svg("g", {
      class: `spotted${doubtful ? " doubtful" : ""}${kept || one.zone === "shelf" ? " aside" : ""}`, "data-face": face,
      "data-place": hands && place, role: "img", "aria-label": doubtful ? t("die.doubtful", { die: named, doubts }) : named,
    }, ...inner);
  }

  // The touch areas of small dice, 44 pixels. All are below all dice, so that none covers a die.
  function gripOf(one, place, unit) {
    const [x, y, w, h] = one.box;
    return place === null || !hands ? null : svg("circle", { class: "grip", cx: x + w / 2, cy: y + h / 2, r: Math.max(22 * unit, w / 2), "data-place": place, "data-face": state.roll[place] });
  }

  // Kept dice that are not on the shelf yet are drawn there.
  function drawnOnShelf(faces, taken, unit) {
    const corners = state.reading?.shelf ?? [];
    if (corners.length !== 4) return [];
    const [left, right, , inner] = corners;
    const side = Math.hypot(inner[0] - left[0], inner[1] - left[1]) * 0.72;
    return faces.map((face, number) => {
      const along = (taken + number + 0.5) / POCKETS;
      const [x, y] = [0, 1].map((axis) => left[axis] + (right[axis] - left[axis]) * along + (inner[axis] - left[axis]) / 2 - side / 2);
      return svg("g", { class: "planned", "aria-hidden": "true" }, svg("use", { href: `#die-${face}`, x, y, width: side, height: side }),
        svg("rect", { class: "outline", x: x - unit, y: y - unit, width: side + 2 * unit, height: side + 2 * unit, rx: 4 * unit }));
    });
  }

  function drawSeen() {
    const dice = state.reading?.dice ?? [];
    const size = state.picture_size?.[0] ? state.picture_size : USUAL_SIZE;
    const part = shownPart(size, dice, state.reading?.shelf ?? [], felt.clientWidth / Math.max(felt.clientHeight, 1) || 1);
    view.setAttribute("viewBox", part.join(" "));
    picture.setAttribute("width", size[0]);
    picture.setAttribute("height", size[1]);
    const unit = Math.max(part[2], part[3]) / Math.max(felt.clientWidth, 1);
    const places = placesInRoll(state);
    const kept = state.phase === "choosing" ? keptPlaces(state) : [];
    const middle = [0, 1].map((axis) => dice.reduce((sum, { box }) => sum + box[axis] + box[axis + 2] / 2, 0) / Math.max(dice.length, 1));
    const onShelf = dice.filter((one) => one.zone === "shelf").length;
    const planned = newOnShelf(state).length || state.phase !== "choosing" ? [] : chosenDice(state);
    drop.setAttribute("points", (state.reading?.shelf ?? []).map((corner) => corner.join()).join(" "));
    seen.replaceChildren(...(state.phase === "rolling" ? [] : [
      ...drawnOnShelf(planned, onShelf, unit), ...dice.map((one, number) => gripOf(one, places[number], unit)).filter(Boolean),
      ...dice.map((one, number) => drawnDie(one, places[number], kept[places[number]], unit, middle))]));
  }

  // The dice on the strip: those kept in earlier throws, then those on the real shelf or, without any, the chosen ones.
  function drawShelf() {
    const beside = newOnShelf(state);
    const counts = matched(beside, chosenDice(state));
    const kindOf = (number) => (state.phase !== "choosing" ? "resting" : counts[number] ? "aside" : "idle");
    const dice = [...state.locked.map((face) => [face, "locked"]), ...beside.map((face, number) => [face, kindOf(number)])];
    if (state.phase === "choosing" && !beside.length) {
      keptPlaces(state).forEach((kept, place) => kept && dice.push([state.roll[place], "chosen", place]));
    }
    shelf.replaceChildren(...Array.from({ length: POCKETS }, (_, number) => {
      const [face, kind, place] = dice[number] ?? [];
      if (!face) return el("span", { class: "pocket" });
      const words = ON_SHELF[kind] ? t(ON_SHELF[kind], { face }) : spoken([face]);
      return el("span", { class: `pocket ${kind}`, role: "img", "data-place": place, "data-face": face, "aria-label": words }, die(face));
    }));
    shelf.setAttribute("aria-label", dice.length ? t("tray.shelf") : t("tray.empty_shelf"));
  }

  // Whether the pointer is over either shelf: the strip, or the one in the picture.
  function over({ clientX, clientY }) {
    const inside = (box, margin) => clientX > box.left - margin && clientX < box.right + margin && clientY > box.top - margin && clientY < box.bottom + margin;
    return inside(shelf.getBoundingClientRect(), 16) || (drop.points.numberOfItems > 0 && inside(drop.getBoundingClientRect(), 6));
  }

  function onDrag(dragging, above) {
    drop.toggleAttribute("hidden", !dragging);
    for (const part of [shelf, drop]) {
      part.classList.toggle("open", dragging);
      part.classList.toggle("over", above);
    }
  }

  const drags = hands && { mayDrag: () => state.phase === "choosing", over, onDrag, ...hands };
  if (drags) for (const container of [view, shelf, byId("roll")]) handleDice(container, drags);

  new ResizeObserver(() => state && drawSeen()).observe(felt);

  function show(next) {
    const changed = first || JSON.stringify([next.reading, next.roll, next.shelf, next.locked, next.phase, next.chosen]) !==
      JSON.stringify([state.reading, state.roll, state.shelf, state.locked, state.phase, state.chosen]);
    state = next;
    first = false;
    if (!live || state.phase !== "rolling") follow(); // a live picture may never come
    if (changed) {
      drawSeen();
      drawShelf();
    }
  }
  return { show };
}
