// The wall: the table for a TV, large and without controls. It follows the table by itself.

import { connect } from "./api.js";
import { createBoard } from "./board.js";
import { byId, die, el, mark, svg } from "./dom.js";
import { chosenDice, matched, setAside } from "./roll.js";
import { keepAwake } from "./wake.js";
import { number, spoken, t } from "./words.js";

const MOMENT_MS = 4500;
const HINT_MS = 30000;
const LARGE = ["win", "final round", "last throw", "farkle", "hot dice", "bump"]; // the largest moment first

const wall = byId("wall");
const board = createBoard(byId("board"));
let seen = null; // the act whose moments were shown
let hiding = null;

function showScores(state) {
  const most = Math.max(...state.players.map((player) => player.score));
  wall.dataset.players = state.players.length;
  wall.classList.toggle("many", state.players.length > 6);
  byId("scores").replaceChildren(...state.players.map((player) => {
    const wins = state.winners.some((name) => name === player.name || state.teams[name]?.includes(player.name));
    const leads = !state.winners.length && player.score === most && most > 0;
    return el("li", {
      class: `score${player.out ? " out" : ""}${wins ? " wins" : ""}`, "aria-current": player.name === state.to_move ? "true" : null,
    }, mark(player), el("span", { class: "who" }, player.name),
    player.farkles ? el("span", { class: "dots", role: "img", "aria-label": t("players.farkles", { farkles: player.farkles }) },
      ...Array.from({ length: Math.min(player.farkles, 3) }, () => el("i"))) : null,
    leads ? el("span", { class: "leads", role: "img", "aria-label": t("players.leads") }, "▲") : null,
    el("b", {}, number(player.score)));
  }));
}

function put(id, words) {
  if (byId(id).textContent !== words) byId(id).textContent = words; // only on a change, for screen readers
}

function showTurn(state) {
  const { text, told } = state.message;
  const before = told && text.startsWith(told) ? told : "";
  put("told", before);
  put("next", text.slice(before.length).trim());
  const rolling = state.phase === "rolling";
  const [aside, chosen] = [setAside(state), matched(state.roll, chosenDice(state))];
  const kept = (face) => svg("svg", { class: "die kept", role: "img", "aria-label": t("die.kept", { face }) }, svg("use", { href: `#die-${face}` }));
  byId("dice").replaceChildren(
    ...(rolling ? Array.from({ length: state.dice_to_throw }, () => el("i", { class: "tumbling" }))
      : state.roll.map((face, place) => {
        const taken = aside[place] || chosen[place];
        const one = die(face, taken ? t("die.aside", { face }) : spoken([face]));
        one.classList.toggle("aside", taken);
        return one;
      })),
    ...(state.locked.length ? [el("span", { class: "locked" }, ...state.locked.map(kept))] : []));
  byId("dice").setAttribute("aria-label", rolling ? t("wall.dice_roll") : spoken(state.roll));
  const risk = state.to_move ? state.turn_points + (state.chosen?.points ?? 0) : 0;
  byId("risk").replaceChildren(...(risk ? [el("b", {}, number(risk)), ` ${t("wall.at_risk")}`] : []));
}

// A moment is huge for a few seconds; a win stays until another game begins.
function showMoment(state) {
  const moments = state.moments ?? [];
  const act = `${state.seq} ${JSON.stringify(moments)}`;
  if (act === seen) return;
  const first = seen === null;
  seen = act;
  const largest = LARGE.map((kind) => moments.find((moment) => moment.kind === kind)).find(Boolean);
  const won = largest?.kind === "win";
  clearTimeout(hiding);
  byId("moment").hidden = !largest || (first && !won);
  if (byId("moment").hidden) return;
  const moment = el("p", { class: "moment", id: "moment", role: "status", "data-kind": largest.kind }, largest.text);
  moment.style.setProperty("--letters", Math.max(largest.text.length, 6));
  byId("moment").replaceWith(moment); // restarts its animation
  if (!won) hiding = setTimeout(() => { moment.hidden = true; }, MOMENT_MS);
}

function show(state) {
  wall.dataset.phase = state.phase;
  wall.dataset.seq = state.seq;
  wall.toggleAttribute("data-final", state.final_round);
  showScores(state);
  showTurn(state);
  showMoment(state);
  board.show(state);
}

function hint(words) {
  byId("hint").textContent = words;
  byId("hint").hidden = !words;
}

connect(JSON.parse(byId("state").textContent), show, (there) => {
  const lost = wall.hasAttribute("data-lost");
  wall.toggleAttribute("data-lost", !there);
  if (!there) hint(t("connection.lost"));
  else if (lost) hint("");
});

keepAwake(byId("wall")).then((sure) => {
  if (sure || localStorage.getItem("wall-hint")) return;
  localStorage.setItem("wall-hint", "shown");
  hint(t("wall.screen"));
  setTimeout(() => { if (!wall.hasAttribute("data-lost")) hint(""); }, HINT_MS);
});
