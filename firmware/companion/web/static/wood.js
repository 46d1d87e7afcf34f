// The board without its pegs: the plank with its grain, and on it the drawing of the layout, made by the server.

import { svg } from "./dom.js";
import { t } from "./words.js";

// A seeded random source, so that the board always has the same grain.
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

// Marks the hole in which the game ends, before the end of the track: a ring and a line in each lane, and its number.
function finishMark({ size, pitch, lanes }, { spot, hole }) {
  const [before, here, after] = [spot - 1, spot, spot + 1].map((one) => lanes[0].spots[one]);
  const reach = (one) => Math.hypot(one[0] - here[0], one[1] - here[1]);
  const next = reach(after) < 2 * pitch ? after : before; // not across a bend
  let [x, y] = [-(next[1] - here[1]) / reach(next), (next[0] - here[0]) / reach(next)]; // across the lane
  if ((here[0] - size[0] / 2) * x + (here[1] - size[1] / 2) * y < 0) [x, y] = [-x, -y]; // towards the outside of the board
  const mark = svg("g", { class: "finish" });
  for (const { spots } of lanes) {
    const [cx, cy] = spots[spot];
    mark.append(svg("path", { d: `M${cx - 6 * x} ${cy - 6 * y}L${cx + 6 * x} ${cy + 6 * y}` }), svg("circle", { cx, cy, r: 3.5 }));
  }
  const word = svg("text", { class: "lettering", x: here[0] + 9.5 * x, y: here[1] + 9.5 * y });
  word.textContent = t("board.finish", { hole });
  mark.append(word);
  return mark;
}

// Marks a skunk line before a hole: across each lane, and across a bend, where the lane turns back, at its outermost place.
function skunkLine({ lanes }, spot) {
  const d = lanes.map(({ spots }) => {
    const [last, from, to, next] = [Math.max(spot - 2, 0), spot - 1, spot, spot + 1].map((one) => spots[one]);
    const apart = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const before = [from[0] - last[0], from[1] - last[1]];
    const turns = before[0] * (next[0] - to[0]) + before[1] * (next[1] - to[1]) < 0 && spot + 2 < spots.length;
    const ahead = before.map((one) => one / (Math.hypot(...before) || 1));
    const [x, y] = turns ? ahead.map((one) => 4 * one) : [(6 * (from[1] - to[1])) / apart, (6 * (to[0] - from[0])) / apart];
    const out = turns ? ahead.map((one) => one * apart) : [0, 0];
    return `M${(from[0] + to[0] + out[0]) / 2 - x} ${(from[1] + to[1] + out[1]) / 2 - y}l${2 * x} ${2 * y}`;
  });
  return svg("path", { class: "skunk", d: d.join("") });
}

const dots = (spots) => spots.map(([x, y]) => `M${x} ${y}h0`).join("");

// `finish` is the spot and the number of the hole in which the game ends; null at the end of the track. Skunk lines stand
// before the spots `skunks`.
export function drawWood(plan, players, finish = null, skunks = []) {
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
  const cut = svg("g");
  cut.innerHTML = plan.wood;
  cut.querySelectorAll(".inlay").forEach((inlay, lane) => {
    if (players[lane]) inlay.setAttribute("data-color", players[lane].color);
    else inlay.remove();
  });
  const large = [...plan.lanes.map(({ spots }) => spots[0]), plan.lanes[0].spots.at(-1)];
  cut.append(svg("path", { class: "holes", d: dots(plan.lanes.flatMap(({ spots }) => spots.slice(1, -1))) }),
    svg("path", { class: "holes large", d: dots(large) }));
  layer.append(cut, ...skunks.map((spot) => skunkLine(plan, spot)));
  if (finish) layer.append(finishMark(plan, finish));
  return layer;
}
