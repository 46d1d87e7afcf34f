// Entering by hand what the table cannot read: a throw face by face, or in points mode the points of the turn.

import { byId, die, el } from "./dom.js";
import { spoken, t } from "./words.js";

export function createEntry(act) {
  const place = byId("entry");
  let state = null;
  let faces = [];
  let counted = ""; // the points that the form was last filled with
  let counter = null; // the player whose points they are

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

  function countForm() {
    const points = el("input", { id: "points", type: "number", inputmode: "numeric", required: true });
    const form = el("form", { class: "count" },
      el("label", { for: "points" }, t("by_hand.points")), points,
      el("button", { type: "submit", class: "solid" }, t("by_hand.count")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const sent = points.value;
      if (await act("count", { points: Number(sent) })) counted = sent;
    });
    place.replaceChildren(form);
    counted = "";
    return points;
  }

  // In points mode the players give the points of the turn so far. A state of the same turn does not replace a number
  // that is being typed.
  function drawCount() {
    const points = byId("points") ?? countForm();
    points.min = points.step = state.count_unit ?? 1;
    if (points.value !== counted && counter === state.to_move) return;
    counted = points.value = String(state.turn_points || "");
    counter = state.to_move;
  }

  function draw() {
    if (counting()) return drawCount();
    const left = state.dice_to_throw - faces.length;
    const focused = [...place.querySelectorAll("button")].indexOf(document.activeElement);
    place.replaceChildren(
      el("h2", {}, left > 0 ? t("by_hand.to_go", { dice: left }) : t("by_hand.complete")),
      el("p", { class: "entered", role: "img", "aria-label": faces.length ? spoken(faces) : t("by_hand.nothing") },
        ...Array.from({ length: state.dice_to_throw }, (_, number) => (faces[number] ? die(faces[number]) : el("span", { class: "pocket" })))),
      el("div", { class: "faces", role: "group", "aria-label": t("by_hand.faces") }, ...[1, 2, 3, 4, 5, 6].map((face) =>
        el("button", { type: "button", class: "face", "aria-label": spoken([face]), disabled: left <= 0, onclick: () => take(face) }, die(face)))),
      el("div", { class: "answers" },
        el("button", { type: "button", class: "solid", "data-glows": left === 0, disabled: left !== 0, onclick: enter }, t("by_hand.enter")),
        el("button", { type: "button", class: "plain", disabled: faces.length === 0, onclick: () => { faces.pop(); draw(); } }, t("by_hand.take_back"))));
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
