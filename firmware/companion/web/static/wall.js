// The wall: the table for a TV, large and without controls. It follows the table by itself.

import { follow } from "./api.js";
import { bestTurn } from "./best.js";
import { createBoard } from "./board.js";
import { botSign, byId, die, el, mark, svg, withDice } from "./dom.js";
import { fate, wins } from "./fate.js";
import { chosenDice, matched, setAside } from "./roll.js";
import { connect } from "./stream.js";
import { keepAwake } from "./wake.js";
import { number, spoken, t } from "./words.js";

const MOMENT_MS = 4500;
const HINT_MS = 30000;
const LEAST_FIT = 0.4;
const MOST_RATINGS = 6;
const LARGE = ["final round", "last throw", "farkle", "hot dice", "bump"]; // the largest moment first

const wall = byId("wall");
const board = createBoard(byId("board"));
let seen = null; // the act whose moments were shown
let hiding = null;
let odds = null; // loaded at a table that has a coach, for a client that may play

async function showOdds(state) {
  odds ??= import("./odds.js").then(({ createOdds, wantedOf }) => ({ wantedOf, of: createOdds(({ line }) => put("coach-line", line)) }));
  const { wantedOf, of } = await odds;
  of.show(state, wantedOf(state));
}

function showScores(state) {
  const most = Math.max(...state.players.map((player) => player.score));
  wall.dataset.players = state.players.length;
  wall.classList.toggle("many", state.players.length > 6);
  byId("scores").replaceChildren(...state.players.map((player) => {
    const leads = !state.winners.length && player.score === most && most > 0;
    return el("li", {
      class: `score${player.out ? " out" : ""}${wins(state, player) ? " wins" : ""}`, "aria-current": player.name === state.to_move ? "true" : null,
    }, mark(player), el("span", { class: "who" }, player.name), botSign(player, t("players.bot")), fate(state, player),
    player.farkles ? el("span", { class: "dots", role: "img", "aria-label": t("players.farkles", { farkles: player.farkles }) },
      ...Array.from({ length: Math.min(player.farkles, 3) }, () => el("i"))) : null,
    leads ? el("span", { class: "leads", role: "img", "aria-label": t("players.leads") }, "▲") : null,
    el("b", {}, number(player.score)));
  }));
  fit();
}

function put(id, words) {
  const place = byId(id);
  if (place.dataset.words === words) return; // only on a change, for screen readers
  place.dataset.words = words;
  place.replaceChildren(...withDice(words));
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
  put("outlook", [state.tournament?.now, state.outlook].filter(Boolean).join(" · "));
  const risk = state.to_move ? state.turn_points + (state.chosen?.points ?? 0) : 0;
  byId("risk").replaceChildren(...(risk ? [el("b", {}, number(risk)), ` ${t("wall.at_risk")}`] : []));
}

// The type of the scores becomes smaller until every name is whole.
function fit() {
  const scores = byId("scores");
  for (let size = 1; size > LEAST_FIT; size *= 0.94) {
    scores.style.setProperty("--fit", size);
    if ([...scores.querySelectorAll(".who")].every((name) => name.scrollWidth <= name.clientWidth)) return;
  }
}

// The tournament: who stands where, or of a knock-out its matches round by round.
function bracket({ form, title, players, rounds }) {
  const line = (name, words) => el("p", { class: "evening" }, el("b", {}, `${name}: `), words);
  if (form === "knock_out") return rounds.map((round) => line(round.title, round.matches.map(({ text }) => text).join(" · ")));
  const points = ({ name, points: scored, out }) => (form === "round_robin" ? `${name} ${scored}` : out ? `${name} (${t("wall.out")})` : name);
  return [line(title, players.map(points).join(" · "))];
}

// The end of a game stays until another one begins.
async function showEnd(state) {
  const place = byId("won");
  const over = state.phase === "over";
  const { tournament } = state;
  place.hidden = !over;
  const key = over ? JSON.stringify([state.winners, state.loser, state.message.told, tournament]) : "";
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  if (!over) return;
  const won = state.winners.length ? t("ending.won", { names: state.winners }) : t("ending.over");
  const heading = state.loser ? t("ending.lost", { name: state.loser }) : won;
  const title = el("h2", {}, heading);
  title.style.setProperty("--letters", Math.max(heading.length, 8));
  const skunks = (state.moments ?? []).filter(({ kind }) => kind === "skunk").map(({ text }) => text);
  place.replaceChildren(title, ...[...skunks, state.message.told].filter(Boolean).map((words) => el("p", {}, words)));
  if (tournament) place.append(el("p", {}, tournament.next), ...bracket(tournament));
  const best = tournament ? null : await bestTurn();
  if (best && place.dataset.shown === key) place.append(best);
  const [standing, ratings] = await Promise.all(["standing", ...("rated" in wall.dataset ? ["ratings"] : [])].map(textOf));
  if (place.dataset.shown !== key) return;
  if (standing) place.append(el("p", { class: "evening" }, t("ending.evening", { standing })));
  if (ratings && !tournament && state.players.length <= MOST_RATINGS) place.append(el("p", { class: "evening" }, t("ending.ratings", { ratings })));
}

// Returns the one sentence of an answer, or nothing if the table does not answer.
const textOf = (path) => fetch(`/api/v1/${path}`).then((answer) => (answer.ok ? answer.json() : {})).then(({ text }) => text).catch(() => "");

// A moment is huge for a few seconds.
function showMoment(state) {
  const moments = state.moments ?? [];
  const act = `${state.seq} ${JSON.stringify(moments)}`;
  if (act === seen) return;
  const first = seen === null;
  seen = act;
  const largest = LARGE.map((kind) => moments.find((moment) => moment.kind === kind)).find(Boolean);
  clearTimeout(hiding);
  byId("moment").hidden = !largest || first || state.phase === "over";
  if (byId("moment").hidden) return;
  const moment = el("p", { class: "moment", id: "moment", role: "status", "data-kind": largest.kind }, largest.text);
  moment.style.setProperty("--letters", Math.max(largest.text.length, 6));
  byId("moment").replaceWith(moment); // restarts its animation
  hiding = setTimeout(() => { moment.hidden = true; }, MOMENT_MS);
}

function show(state) {
  wall.dataset.phase = state.phase;
  wall.dataset.seq = state.seq;
  wall.toggleAttribute("data-final", state.final_round);
  showScores(state);
  showTurn(state);
  showMoment(state);
  showEnd(state);
  board.show(state);
  if (state.coach && byId("coach-line")) showOdds(state);
  byId("asks").hidden = !state.asks;
  byId("asks").textContent = state.asks ? t("door.asks", { name: state.asks }) : "";
}

function hint(words) {
  byId("hint").textContent = words;
  byId("hint").hidden = !words;
}

addEventListener("resize", fit);
follow(JSON.parse(byId("state").textContent), show);
connect((there) => {
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
