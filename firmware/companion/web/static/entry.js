// Entering by hand what the table cannot read: a throw face by face, or in points mode the points of the turn.

import { COUNTS, FACES, byId, die, el, spoken } from "./dom.js";

export function createEntry(act) {
  const place = byId("entry");
  let state = null;
  let faces = [];

  // A throw may be entered when one is due, or while the table asks for its dice one by one.
  const thrown = () => ["to_throw", "farkled"].includes(state.phase) || (state.phase === "choosing" && state.chosen) ||
    (state.phase === "asking" && state.by_hand === "faces" && (state.question?.die ?? null) !== null);
  const counting = () => state.by_hand === "counting" && ["to_throw", "choosing"].includes(state.phase);
  const wanted = () => counting() || (state.by_hand === "faces" || (state.look ?? 0) > 0) && thrown();

  function take(face) {
    if (faces.length < state.dice_to_throw) faces.push(face);
    draw();
  }

  async function enter() {
    if (await act("roll", { roll: faces })) faces = [];
    draw();
  }

  // In points mode the players give the points of the turn so far.
  function drawCount() {
    const unit = state.count_unit ?? 1;
    const points = el("input", { id: "points", type: "number", inputmode: "numeric", min: unit, step: unit, required: true, value: state.turn_points || null });
    const form = el("form", { class: "count" },
      el("label", { for: "points" }, "Points of this turn so far"), points,
      el("button", { type: "submit", class: "solid" }, "Count"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      act("count", { points: Number(points.value) });
    });
    place.replaceChildren(form);
  }

  function draw() {
    if (counting()) return drawCount();
    const left = state.dice_to_throw - faces.length;
    const focused = [...place.querySelectorAll("button")].indexOf(document.activeElement);
    place.replaceChildren(
      el("h2", {}, left > 0 ? `Enter the throw: ${COUNTS[left] ?? left} to go` : "Is this the throw?"),
      el("p", { class: "entered", role: "img", "aria-label": faces.length ? spoken(faces) : "no dice yet" },
        ...Array.from({ length: state.dice_to_throw }, (_, number) => (faces[number] ? die(faces[number]) : el("span", { class: "pocket" })))),
      el("div", { class: "faces", role: "group", "aria-label": "Faces" }, ...[1, 2, 3, 4, 5, 6].map((face) =>
        el("button", { type: "button", class: "face", "aria-label": FACES[face], disabled: left <= 0, onclick: () => take(face) }, die(face)))),
      el("div", { class: "answers" },
        el("button", { type: "button", class: "solid", "data-next": left === 0, disabled: left !== 0, onclick: enter }, "This is the throw"),
        el("button", { type: "button", class: "plain", disabled: faces.length === 0, onclick: () => { faces.pop(); draw(); } }, "Take one back")));
    const again = place.querySelectorAll("button")[focused];
    if (focused >= 0) (again.disabled ? place.querySelector("button:not([disabled])") : again)?.focus();
  }

  function show(next) {
    const anew = ["seq", "dice_to_throw", "by_hand"].some((name) => state?.[name] !== next[name]);
    const was = place.hidden;
    state = next;
    place.hidden = !wanted();
    if (anew) faces = [];
    if (!place.hidden && (anew || was)) draw();
  }
  return { show };
}
