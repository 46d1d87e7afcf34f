// The tray: the camera's picture with what was read drawn over it, and the shelf as a strip of six places.

import { COUNTS, FACES, byId, die, el, svg } from "./dom.js";
import { draggable } from "./drag.js";
import { canShelve, chosenDice, matched, newOnShelf, placesInRoll } from "./roll.js";

const POCKETS = 6;
const USUAL_SIZE = [960, 720];
const LIVE_MS = 200;
const WORDS = { locked: ", kept", aside: ", set aside", idle: ", does not count", resting: "" };
const DOUBTS = {
  cocked: "it leans", stacked: "it lies on another", touching: "it touches another", cut: "it is cut off", blurred: "it is blurred",
  dark: "it is too dark", glare: "it glares", count: "the count is wrong", face: "the face is unclear",
};

// The part of the picture to show: its middle in the shape of the felt, extended to hold every die.
function shownPart([width, height], dice, shape) {
  const side = Math.min(width, height);
  const [wide, high] = [Math.min(side, side * shape), Math.min(side, side / shape)];
  const box = { left: (width - wide) / 2, top: (height - high) / 2, right: (width + wide) / 2, bottom: (height + high) / 2 };
  for (const { box: [x, y, w, h] } of dice) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + w);
    box.bottom = Math.max(box.bottom, y + h);
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

export function createTray(act, fix) {
  const [felt, shelf, throwButton] = [byId("felt"), byId("shelf"), byId("throw")];
  const picture = svg("image", { class: "picture" });
  const seen = svg("g", { class: "seen" });
  const view = svg("svg", { preserveAspectRatio: "xMidYMid meet", role: "group", "aria-label": "The dice as the camera sees them" }, picture, seen);
  felt.prepend(view);
  let state = null;
  let wanted;
  let missing = true; // no picture may be shown, or it is no longer kept: the dice are drawn instead
  let first = true;

  // The next picture is loaded before it is shown, so that the tray never flickers.
  function showPicture(address, onDone = () => {}) {
    if (address === wanted) return;
    wanted = address;
    if (!address) {
      miss(true);
      return;
    }
    const next = new Image();
    next.onload = () => {
      if (address === wanted) {
        picture.setAttribute("href", address);
        miss(false);
      }
      onDone();
    };
    next.onerror = () => {
      if (address === wanted) miss(true);
      onDone();
    };
    next.src = address;
  }

  function miss(now) {
    picture.toggleAttribute("hidden", now);
    if (missing === now) return;
    missing = now;
    drawSeen();
  }

  // While dice move, shows the tray live: each picture is requested after the one before has come.
  let pictures = 0;
  let live = false;
  function follow() {
    live = state.phase === "rolling" && state.reading !== null && !document.hidden;
    if (!live) {
      showPicture(state.reading?.picture ?? null);
      return;
    }
    pictures += 1;
    showPicture(`/api/v1/tray.jpg?now=${pictures}`, () => setTimeout(follow, LIVE_MS));
  }

  function drawnDie(one, place, unit, middle) {
    const [x, y, w, h] = one.box;
    const doubtful = one.doubts.length > 0;
    const inner = [one.outline?.length > 2
      ? svg("polygon", { class: "outline", points: around(one.outline, 3 * unit) })
      : svg("rect", { class: "outline", x: x - 2 * unit, y: y - 2 * unit, width: w + 4 * unit, height: h + 4 * unit, rx: 5 * unit })];
    if (missing) inner.unshift(svg("use", { href: `#die-${one.face}`, x, y, width: w, height: h }));
    const radius = 8.5 * unit;
    // The number is at the corner that is turned away from the other dice.
    const out = 4 * unit;
    const [cx, cy] = [x + w / 2 < middle[0] ? x - out : x + w + out, y + h / 2 < middle[1] ? y - out : y + h + out];
    inner.push(
      svg("circle", { class: "badge", cx, cy, r: radius }),
      svg("text", { class: "digit", x: cx, y: cy, "font-size": 12 * unit }, `${one.face}${doubtful ? "?" : ""}`));
    const words = `${FACES[one.face]}${one.zone === "shelf" ? ", on the shelf" : ""}${doubtful ? `, in doubt: ${one.doubts.map((doubt) => DOUBTS[doubt] ?? doubt).join(", ")}` : ""}`;
    const grip = 22 * unit; // half of 44 pixels: the least a finger needs
    inner.push(svg("circle", { class: "grip", cx: x + w / 2, cy: y + h / 2, r: Math.max(grip, w / 2) }));
    const known = place !== null;
    const group = svg("g", {
      class: `spotted${doubtful ? " doubtful" : ""}${one.zone === "shelf" ? " aside" : ""}`, "data-face": one.face,
      ...(known ? { role: "button", tabindex: 0, "aria-label": `${words}; tap to correct` } : { role: "img", "aria-label": words }),
    }, ...inner);
    if (known) {
      draggable(group, {
        face: one.face, shelf, can: () => canShelve(state) && one.zone !== "shelf",
        onDrop: () => act("simulator/shelve", { dice: [place] }), onTap: () => fix.open(group, place, state),
      });
    }
    return group;
  }

  function drawSeen() {
    const dice = state.reading?.dice ?? [];
    const size = state.picture_size?.[0] ? state.picture_size : USUAL_SIZE;
    const part = shownPart(size, dice, felt.clientWidth / Math.max(felt.clientHeight, 1) || 1);
    view.setAttribute("viewBox", part.join(" "));
    picture.setAttribute("width", size[0]);
    picture.setAttribute("height", size[1]);
    const unit = Math.max(part[2], part[3]) / Math.max(felt.clientWidth, 1);
    const places = placesInRoll(state);
    const middle = [0, 1].map((axis) => dice.reduce((sum, { box }) => sum + box[axis] + box[axis + 2] / 2, 0) / Math.max(dice.length, 1));
    const again = document.activeElement?.closest(".spotted") ? [...seen.children].indexOf(document.activeElement) : -1;
    seen.replaceChildren(...(state.phase === "rolling" ? [] : dice.map((one, number) => drawnDie(one, places[number], unit, middle))));
    if (again >= 0) seen.children[again]?.focus();
  }

  function drawShelf() {
    const beside = newOnShelf(state);
    const counts = matched(beside, chosenDice(state));
    const kindOf = (number) => (state.phase !== "choosing" ? "resting" : counts[number] ? "aside" : "idle");
    const dice = [...state.locked.map((face) => [face, "locked"]), ...beside.map((face, number) => [face, kindOf(number)])].slice(0, POCKETS);
    const places = Array.from({ length: POCKETS }, (_, number) => {
      const [face, kind] = dice[number] ?? [];
      if (!face) return el("span", { class: "pocket" });
      return el("span", { class: `pocket ${kind}`, role: "img", "aria-label": `${FACES[face]}${WORDS[kind]}` }, die(face));
    });
    shelf.replaceChildren(...places);
    shelf.setAttribute("aria-label", dice.length ? "The shelf" : "The shelf: no dice set aside");
  }

  function drawThrow() {
    const rolling = state.phase === "rolling";
    throwButton.hidden = !state.simulated || state.phase === "over";
    throwButton.setAttribute("aria-disabled", String(rolling));
    const count = COUNTS[state.dice_to_throw] ?? "the dice";
    byId("throw-words").textContent = `Throw ${count}`;
  }
  throwButton.addEventListener("click", () => {
    if (throwButton.getAttribute("aria-disabled") !== "true") act("simulator/throw", { dice: null });
  });

  new ResizeObserver(() => state && drawSeen()).observe(felt);

  function show(next) {
    const changed = first || JSON.stringify([next.reading, next.roll, next.shelf, next.locked, next.phase]) !==
      JSON.stringify([state.reading, state.roll, state.shelf, state.locked, state.phase]);
    state = next;
    first = false;
    if (!live) follow();
    if (changed) {
      drawSeen();
      drawShelf();
    }
    drawThrow();
  }
  return { show };
}
