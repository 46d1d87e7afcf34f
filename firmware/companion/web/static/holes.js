// The board as drawn, whose holes a tap chooses: the nearest hole of any lane.

import { el, svg } from "./dom.js";
import { drawWood } from "./wood.js";

// Returns the drawing, or null if the table does not answer. A tap on a hole puts its number into the first empty
// input, and a tap on a chosen one takes it out again. On a phone the drawing is wider than the page and scrolls.
export async function createDrawnHoles(sides, track, inputs) {
  const answer = await fetch(`/boards/${sides}.json?track=${track}`).catch(() => null);
  if (!answer?.ok) return null;
  const plan = await answer.json();
  const [width, height] = plan.size;
  const marks = svg("g");
  const drawing = svg("svg", { class: "drawn", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, drawWood(plan, [], null, []), marks);

  function nearest(x, y) {
    let [best, least] = [0, Infinity];
    for (const lane of plan.lanes) {
      lane.spots.slice(1, -1).forEach(([sx, sy], place) => {
        const far = Math.hypot(sx - x, sy - y);
        if (far < least) [best, least] = [place + 1, far];
      });
    }
    return best;
  }

  function mark() {
    const chosen = inputs.map((one) => Number(one.value)).filter(Boolean);
    marks.replaceChildren(...plan.lanes.flatMap((lane) => chosen.filter((hole) => lane.spots[hole])
      .map((hole) => svg("circle", { class: "picked", cx: lane.spots[hole][0], cy: lane.spots[hole][1], r: 4.5 }))));
  }

  drawing.addEventListener("click", (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const hole = nearest(x, y);
    const there = inputs.find((one) => Number(one.value) === hole) ?? inputs.find((one) => !one.value) ?? inputs.at(-1);
    there.value = Number(there.value) === hole ? "" : hole;
    mark();
  });
  for (const one of inputs) one.addEventListener("input", mark);
  return el("div", { class: "board-to-tap" }, drawing);
}
