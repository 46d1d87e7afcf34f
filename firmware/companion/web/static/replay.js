// A finished game, or one under way, turn by turn: the board after each turn, its throws, and a line in the race.

import { Refused, read } from "./api.js";
import { createBoard } from "./board.js";
import { byId, die, el, mark, svg } from "./dom.js";
import { matched } from "./roll.js";
import { number, spoken, t } from "./words.js";

const section = byId("replay");
const slider = byId("steps");
let game = null;
let board = null;
let step = null;

// The state of the table after a turn, with the fields that the board draws.
function stateAt(place) {
  const turn = game.turns[place - 1];
  const holes = turn?.holes ?? game.start;
  const whole = (hole) => [Math.floor(hole), hole % 1 > 0];
  return {
    track: game.track, finish: game.finish, skunk_lines: game.skunk_lines, to_move: turn?.player ?? null, bank_hole: null,
    players: game.players.map((player) => {
      const [hole, half] = whole(holes[player.side] ?? 0);
      const ahead = turn && player.name === turn.player && turn.front !== null ? turn.front : hole + (half ? 0.5 : 0);
      const [front_hole, front_half] = whole(ahead);
      return { ...player, hole, half, front_hole, front_half, farkles: 0, out: false };
    }),
  };
}

function drawnThrow(one) {
  const kept = matched(one.roll, one.kept);
  return el("li", { class: one.undone ? "undone" : null },
    el("p", { class: "dice" }, ...one.roll.map((face, place) => {
      const drawn = die(face, kept[place] ? t("die.kept", { face }) : spoken([face]));
      return kept[place] ? el("span", { class: "keep" }, drawn) : drawn;
    }), one.points ? el("b", { class: "points" }, `+${number(one.points)}`) : null),
    el("p", { class: "why" }, one.undone ? el("strong", {}, `${t("replay.taken_back")} `) : null, one.notes),
    one.picture ? el("a", { class: "still", href: one.picture },
      el("img", { src: one.picture, width: 960, height: 720, loading: "lazy", alt: t("replay.picture", { faces: one.roll }) })) : null);
}

function drawStep() {
  const turn = game.turns[step - 1];
  const player = turn && game.players.find((one) => one.name === turn.player);
  byId("shown").replaceChildren(turn
    ? el("h3", {}, mark(player), ` ${turn.player} `, el("small", {}, t("replay.ended", turn)))
    : el("h3", {}, t("replay.start")),
  el("ol", { class: "throws" }, ...(turn?.throws ?? []).map(drawnThrow)));
  slider.value = step;
  slider.setAttribute("aria-valuetext", turn ? t("replay.step", { ...turn, step, steps: game.turns.length }) : t("replay.start"));
  byId("earlier").disabled = step === 0;
  byId("later").disabled = step === game.turns.length;
}

// A line in the race, at the turn that is shown.
function drawRace() {
  const race = document.querySelector("svg.race");
  if (!race) return;
  const { left, right, bottom, turns } = race.dataset;
  const at = Number(left) + (Number(right) - Number(left)) * Math.min(step / Number(turns), 1);
  const line = race.querySelector(".cursor") ?? race.appendChild(svg("line", { class: "cursor", y1: 0, y2: bottom }));
  line.setAttribute("x1", at);
  line.setAttribute("x2", at);
}

function show(asked) {
  const wanted = Math.min(Math.max(asked, 0), game.turns.length);
  if (wanted === step) return;
  step = wanted;
  drawStep();
  drawRace();
  board.show(stateAt(step));
}

// Stepping changes the address without an entry in the history. A link to a turn adds an entry, so Back returns.
function go(asked) {
  show(asked);
  history.replaceState(null, "", `#turn-${step}`);
}

const linked = () => {
  const found = /^#turn-(\d{1,6})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
};

async function begin() {
  try {
    game = await read(`games/${section.dataset.game}/turns`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return; // places, race and throws are shown without the board
  }
  if (!game.turns.length) return;
  section.hidden = false;
  slider.max = game.turns.length;
  board = createBoard(byId("board"));
  show(linked() ?? game.turns.length);
  if (linked() !== null) section.scrollIntoView();
  for (const link of document.querySelectorAll("[data-turn]")) link.href = `#turn-${link.dataset.turn}`;
  slider.addEventListener("input", () => go(Number(slider.value)));
  byId("earlier").addEventListener("click", () => go(step - 1));
  byId("later").addEventListener("click", () => go(step + 1));
  addEventListener("hashchange", () => {
    show(linked() ?? game.turns.length);
    if (linked() !== null) section.scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea, [tabindex]")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(step + by);
  });
}

begin();
