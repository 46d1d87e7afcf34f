// The board without its pegs: plank, grain, lanes, holes, streets. Drawn once for a plan, then left alone.

import { svg } from "./dom.js";

const GAME = 121;

// The same "chance" each time, so that the board keeps its own grain.
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

function grain(width, height) {
  const chance = seeded(121);
  const lines = svg("g");
  for (let y = 1.2; y < height; y += 1.1 + chance() * 2.1) {
    const sway = 0.6 + chance() * 1.6;
    const phase = chance() * 6.28;
    const length = 120 + chance() * 160;
    let path = "";
    for (let x = 0; x < width + 14; x += 14) {
      const bend = Math.sin(x / length + phase) * sway + Math.sin(x / (length / 3.1) + phase * 2) * sway * 0.25;
      path += `${x === 0 ? "M" : "L"}${x} ${(y + bend).toFixed(2)}`;
    }
    lines.append(svg("path", {
      class: "grain", d: path, "stroke-width": (0.15 + chance() * 0.75).toFixed(2), "stroke-opacity": (0.08 + chance() * 0.26).toFixed(2),
    }));
  }
  return lines;
}

// A lane's groove: out along its row, round the bend, back, and into the game hole.
function laneLine(spots) {
  const [first, turn, back, end, game] = [spots[0], spots[60], spots[61], spots[120], spots[GAME]];
  const radius = Math.abs(turn[1] - back[1]) / 2;
  const bend = `A${radius} ${radius} 0 0 0 ${back[0]} ${back[1]}`;
  return `M${first[0]} ${first[1]}L${turn[0]} ${turn[1]}${bend}L${end[0]} ${end[1]}Q${game[0]} ${end[1]} ${game[0]} ${game[1]}`;
}

const round = (x, y, r) => `M${(x - r).toFixed(2)} ${y.toFixed(2)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

const diamond = (x, y) => svg("path", { class: "brass", d: `M${x - 3.4} ${y}l3.4-2.1 3.4 2.1-3.4 2.1z` });

function marks(plan) {
  const [, height] = plan.size;
  const spots = plan.lanes[0].spots;
  const inner = plan.lanes.at(-1).spots;
  const group = svg("g");
  const across = (hole, name) => {
    const [x, outer, near] = [(spots[hole][0] + spots[hole + 1][0]) / 2, spots[hole][1], inner[hole][1]];
    const reach = outer > near ? 5 : -5;
    group.append(svg("line", { class: name, x1: x, x2: x, y1: outer + reach, y2: near - reach }));
  };
  for (let hole = 5; hole < 120; hole += 5) {
    if (hole !== 60) across(hole, hole === 90 ? "skunk" : hole === 30 ? "street" : "fives");
  }
  const middle = height / 2;
  const inward = (hole, by) => inner[hole][1] + (inner[hole][1] > middle ? -by : by);
  for (const hole of [30, 60, 90]) {
    group.append(svg("text", { class: "lettering number", x: spots[hole][0], y: inward(hole, 6.4) }, String(hole)));
  }
  const street = (spots[30][0] + spots[31][0]) / 2;
  for (const [word, at] of [["FARKLE", -1], ["CRIB", 1]]) {
    const x = street + at * 118;
    group.append(svg("text", { class: "lettering crib", x, y: middle + 0.4 }, word));
    for (const side of [-1, 1]) group.append(diamond(x + side * (word.length * 6.2 + 12), middle));
  }
  return group;
}

export function drawWood(plan, players) {
  const [width, height] = plan.size;
  const layer = svg("g", { class: "wood" });
  layer.append(
    svg("defs", {},
      svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 0.12, y2: 1 },
        svg("stop", { offset: 0, "stop-color": "var(--wood-1)" }),
        svg("stop", { offset: 0.55, "stop-color": "var(--wood-2)" }),
        svg("stop", { offset: 1, "stop-color": "var(--wood-3)" })),
      svg("clipPath", { id: "plank-clip" }, svg("rect", { width, height, rx: 9 }))),
    svg("rect", { class: "plank-side", y: 1.6, width, height, rx: 9 }),
    svg("rect", { class: "plank", width, height, rx: 9 }),
    svg("g", { "clip-path": "url(#plank-clip)" }, grain(width, height)),
    svg("rect", { class: "plank-edge", x: 1.2, y: 1.2, width: width - 2.4, height: height - 2.4, rx: 8 }),
  );
  plan.lanes.forEach((lane, number) => {
    const line = laneLine(lane.spots);
    const owner = players[number];
    layer.append(svg("path", { class: "groove", d: line }));
    if (owner) layer.append(svg("path", { class: "inlay", d: line, "data-color": owner.color }));
  });
  layer.append(marks(plan));
  for (const lane of plan.lanes) {
    const holes = lane.spots.slice(1, GAME);
    layer.append(
      svg("path", { class: "hole-light", d: holes.map(([x, y]) => round(x, y + 0.35, 1.6)).join("") }),
      svg("path", { class: "holes", d: holes.map(([x, y]) => round(x, y, 1.55)).join("") }),
      svg("path", { class: "start-ring", d: round(...lane.spots[0], 3.6) }),
      svg("path", { class: "holes", d: round(...lane.spots[0], 1.9) }),
    );
  }
  const game = plan.lanes[0].spots[GAME];
  layer.append(
    svg("path", { class: "game-ring outer", d: round(...game, 6.2) }),
    svg("path", { class: "game-ring", d: round(...game, 4.6) }),
    svg("path", { class: "holes", d: round(...game, 2.6) }),
  );
  return layer;
}
