// The board: pegs that walk hole by hole over the wood, as fast as the real lights.

import { calm, svg } from "./dom.js";
import { drawWood } from "./wood.js";
import { t } from "./words.js";

const HOLE_MS = 60;
const LONGEST_MS = 1500;
const HOME_HOLE_MS = 25;
const LONGEST_HOME_MS = 1000;
const HOP_HOLE_MS = 120;
const RACE_MS = 3000;
const LENS_MM = 62;
const LENS_BELOW = 1.7; // pixels a millimetre: a smaller board needs the lens

// Returns the place of a hole on a board of `lap` holes, and the laps left: a longer track walks the same holes again.
export function spotOf(hole, track, lap) {
  if (hole >= track) return { spot: lap + 1, lap: 0 };
  if (hole <= 0) return { spot: 0, lap: 0 };
  return { spot: ((hole - 1) % lap) + 1, lap: Math.ceil((track - 1) / lap) - 1 - Math.floor((hole - 1) / lap) };
}

function lasting(peg, from, to) {
  const holes = Math.abs(to - from);
  if (to > from) return Math.min(HOLE_MS * holes, LONGEST_MS);
  if (peg === "front") return Math.min(HOME_HOLE_MS * holes, LONGEST_HOME_MS);
  return Math.min(HOP_HOLE_MS * holes, LONGEST_MS);
}

function drawPeg(player, kind) {
  return svg("g", { class: `peg ${kind}`, "data-color": player.color },
    svg("g", { class: "halo" }, svg("circle", { r: 5.4 }), svg("circle", { r: 7.4 }), svg("circle", { r: 9.6 })),
    svg("circle", { class: "body", r: 4.3 }),
    svg("use", { class: "shape", href: `#mark-${player.shape}`, x: -2.3, y: -2.3, width: 4.6, height: 4.6 }));
}

export function createBoard(place) {
  const plans = new Map(); // the loaded drawings, by their addresses
  const loading = new Set(); // the addresses of drawings that are being loaded
  let waiting = null; // the state to show when its drawing is loaded

  const standing = matchMedia("(max-width: 719px) and (orientation: portrait)");
  const layers = [svg("svg", { class: "wood-layer", "aria-hidden": "true" }), svg("svg", { class: "peg-layer", role: "img" })];
  const turned = layers.map(() => svg("g"));
  layers.forEach((layer, number) => layer.append(turned[number]));
  turned[0].id = "wood-drawing";
  turned[1].id = "peg-drawing";
  const lens = svg("svg", { class: "lens", "aria-hidden": "true" },
    svg("use", { href: "#wood-drawing" }), svg("use", { href: "#peg-drawing" }));
  place.append(...layers, lens);

  let plan = null;
  let drawn = "";
  let track = 121;
  let pegs = new Map(); // "side kind" -> { group, side, shown, from, to, start, lasts }
  let running = false;
  let phase = "";

  function lie() {
    const [width, height] = plan.size;
    const box = standing.matches ? `0 0 ${height} ${width}` : `0 0 ${width} ${height}`;
    for (const layer of layers) layer.setAttribute("viewBox", box);
    for (const group of turned) group.setAttribute("transform", standing.matches ? `translate(0 ${width}) rotate(-90)` : "");
    // Set on the parent, whose columns depend on it.
    place.parentElement.style.setProperty("--board-ratio", standing.matches ? height / width : width / height);
    for (const peg of pegs.values()) put(peg, peg.shown);
  }
  standing.addEventListener("change", () => plan && lie());

  const laneOf = (peg) => peg.side % plan.lanes.length;
  const placeOf = (hole) => spotOf(hole, track, plan.lanes[0].spots.length - 2);

  // Pegs of several sides in one hole form a ring, smaller: each gets its place and the number of places.
  function arrange() {
    const standing = new Map();
    for (const peg of pegs.values()) {
      const { spot, lap } = placeOf(peg.to);
      const hole = peg.to >= track ? "game" : `${laneOf(peg)} ${spot} ${lap}`;
      const there = standing.get(hole) ?? standing.set(hole, []).get(hole);
      if (peg.kind !== "ghost" && !there.includes(peg.side)) there.push(peg.side);
      peg.there = there;
    }
    for (const peg of pegs.values()) if (peg.shown === peg.to) put(peg, peg.to);
  }

  // Returns how far a resting peg stands from the middle of its hole, in millimetres, and its size.
  function seatOf(peg) {
    const place = peg.there.indexOf(peg.side);
    const count = peg.there.length;
    if (place < 0 || count < 2) return [0, 0, 1];
    const [out, size] = count < 4 ? [2.9, 0.66] : [5.2, 0.5];
    const angle = (place / count + 0.25) * 2 * Math.PI;
    return [Math.cos(angle) * out, Math.sin(angle) * out, size];
  }

  function put(peg, hole) {
    const step = Math.max(0, Math.floor(hole));
    const resting = hole === peg.to;
    const [dx, dy, size] = resting ? seatOf(peg) : [0, 0, 1];
    const at = (one) => {
      const [x, y] = plan.lanes[laneOf(peg)].spots[placeOf(one).spot];
      return [x + dx, y + dy];
    };
    const [a, b] = [at(step), at(Math.min(step + 1, track))];
    const way = hole - step;
    const eased = way * way * (3 - 2 * way);
    const [x, y] = [a[0] + (b[0] - a[0]) * eased, a[1] + (b[1] - a[1]) * eased];
    const lifted = resting ? size : 1 + 0.35 * Math.sin(Math.PI * way); // at half a hole a peg stands between two
    peg.shown = hole;
    peg.place = [x, y];
    peg.group.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})${standing.matches ? " rotate(90)" : ""} scale(${lifted.toFixed(3)})`);
    peg.group.classList.toggle("lapped", placeOf(hole).lap > 0);
  }

  function look(peg) {
    const [width] = plan.size;
    const [x, y] = standing.matches ? [peg.place[1], width - peg.place[0]] : peg.place;
    const scale = layers[1].getBoundingClientRect().height / (standing.matches ? width : plan.size[1]);
    lens.setAttribute("viewBox", `${x - LENS_MM / 2} ${y - LENS_MM / 2} ${LENS_MM} ${LENS_MM}`);
    lens.classList.toggle("on", scale < LENS_BELOW);
    // Beside a board in portrait, at the height of the peg; below a board in landscape.
    const along = Math.max(standing.matches ? place.clientHeight - 128 : place.clientWidth - 128, 0);
    const at = Math.min(Math.max((standing.matches ? y : x) * scale - 64, 0), along);
    lens.style.setProperty("top", standing.matches ? `${at}px` : "calc(100% + 4px)");
    lens.style.setProperty("left", standing.matches ? "100%" : `${at}px`);
  }

  function tick(now) {
    let moving = null;
    for (const peg of pegs.values()) {
      if (peg.to === peg.shown) continue;
      const way = peg.lasts ? (now - peg.start) / peg.lasts : 1;
      if (way >= 1) put(peg, peg.to);
      else if (way >= 0) {
        put(peg, peg.from + (peg.to - peg.from) * way);
        moving = peg;
      } else moving ??= peg;
    }
    running = moving !== null;
    if (running) {
      look(moving);
      requestAnimationFrame(tick);
    } else lens.classList.remove("on");
  }

  // Returns one player for each side: the one to move, or the first.
  function sidesOf(state) {
    const found = [];
    for (const player of state.players) {
      if (!found[player.side] || player.name === state.to_move) found[player.side] = player;
    }
    return found;
  }

  function build(state, players, drawing) {
    plan = plans.get(drawing);
    track = state.track;
    const finish = state.finish > 0 && state.finish < track ? { spot: placeOf(state.finish).spot, hole: state.finish } : null;
    const skunks = (state.skunk_lines ?? []).map((hole) => placeOf(hole).spot);
    turned[0].replaceChildren(drawWood(plan, players.length <= plan.lanes.length ? players : [], finish, skunks));
    pegs = new Map();
    turned[1].replaceChildren();
    players.forEach((player, side) => {
      const lights = plan.lanes[side % plan.lanes.length].farkles.map(([x, y]) =>
        svg("circle", { class: "farkle-light", cx: x, cy: y, r: 1.9, "data-color": player.color, "data-side": side }));
      if (side < plan.lanes.length) turned[1].append(...lights);
      for (const kind of ["ghost", "back", "front"]) {
        const group = drawPeg(player, kind);
        turned[1].append(group);
        pegs.set(`${side} ${kind}`, { group, side, kind, shown: 0, to: 0, from: 0, start: 0, lasts: 0, place: [0, 0], there: [] });
      }
    });
    lie();
  }

  // Loads a drawing once. If the table does not answer, the next state asks again.
  async function load(drawing) {
    if (loading.has(drawing)) return;
    loading.add(drawing);
    const answer = await fetch(drawing).catch(() => null);
    if (answer?.ok) plans.set(drawing, await answer.json());
    loading.delete(drawing);
    if (waiting && answer?.ok) show(waiting);
  }

  // Shows a state. In the first one, and in another game, the pegs do not walk.
  function show(state) {
    const players = sidesOf(state);
    const who = JSON.stringify([state.track, state.finish, state.skunk_lines, state.players.map((player) => [player.name, player.color, player.shape])]);
    const fresh = who !== drawn;
    const drawing = `/boards/${players.length}.json?track=${state.track}`;
    waiting = null;
    if (fresh && !plans.has(drawing)) {
      waiting = state;
      load(drawing);
      return;
    }
    if (fresh) {
      drawn = who;
      build(state, players, drawing);
    }
    const now = performance.now();
    // After a win all pegs race along the track once more, at one speed.
    const race = !fresh && !calm() && state.phase === "over" && phase !== "over" && state.winners.length > 0;
    phase = state.phase;
    const most = Math.max(1, ...players.map((player) => player.hole));
    let walked = 0;
    players.forEach((player, side) => {
      const onTurn = player.name === state.to_move;
      const [back, front] = [player.hole + (player.half ? 0.5 : 0), player.front_hole + (player.front_half ? 0.5 : 0)];
      const turnPeg = front !== back;
      for (const [kind, hole] of [["back", back], ["front", front], ["ghost", (onTurn ? state.bank_hole : null) ?? front]]) {
        const peg = pegs.get(`${side} ${kind}`);
        peg.group.classList.toggle("breathing", onTurn && (kind === "front" || (kind === "back" && !turnPeg)));
        peg.group.classList.toggle("out", Boolean(player.out));
        if (kind === "ghost") peg.group.toggleAttribute("hidden", hole === front);
        if (peg.to === hole && !fresh && !race) continue;
        if (race) peg.shown = 0;
        peg.from = peg.shown;
        peg.to = hole;
        peg.start = now;
        peg.lasts = race ? (RACE_MS * Math.max(hole, 0)) / most : fresh || calm() || kind === "ghost" ? 0 : lasting(kind, peg.shown, hole);
        if (hole > peg.shown) walked = Math.max(walked, peg.lasts);
        if (peg.lasts === 0) put(peg, hole);
      }
      layers[1].querySelectorAll(`[data-side="${side}"]`).forEach((light, number) => light.classList.toggle("lit", number < player.farkles));
    });
    arrange();
    for (const peg of pegs.values()) {
      // The bumping peg arrives first; then the bumped one hops back.
      if (peg.kind === "back" && peg.start === now && peg.to < peg.from) peg.start = now + walked;
    }
    const ends = state.finish > 0 && state.finish < track ? [t("board.ends", { hole: state.finish })] : [];
    if (state.skunk_lines?.length) ends.push(t("board.skunk", { hole: state.skunk_lines[0] }));
    const holes = players.map((player) => {
      const [hole, front] = [`${player.hole}${player.half ? "½" : ""}`, `${player.front_hole}${player.front_half ? "½" : ""}`];
      const peg = { name: player.name, hole, track: state.track, farkles: player.farkles };
      return front === hole ? t("board.peg", peg) : t("board.peg_in_turn", { ...peg, front });
    });
    layers[1].setAttribute("aria-label", [...ends, holes.join("; ") || t("board.no_pegs")].join(" "));
    if (!running) {
      running = true;
      requestAnimationFrame(tick);
    }
  }

  return { show };
}
