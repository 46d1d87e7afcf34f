// Who plays: names in the order of their turns, teams, and who starts. Names used before are remembered in this browser.

import { byId, el, mark } from "./dom.js";

const MOST = 12;
const REMEMBERED = "farkle-crib-names";
const COLORS = ["orange", "sky blue", "bluish green", "yellow", "vermilion", "purple"];
const SHAPES = ["circle", "diamond", "square", "triangle", "pentagon", "star"];
const TEAMS = ["Team A", "Team B", "Team C"];

const markOf = (number) => ({ color: COLORS[number % 6], shape: SHAPES[(number + 3 * Math.floor(number / 6)) % 6] });

function remembered() {
  try {
    const names = JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

export function remember(names) {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify([...new Set([...names, ...remembered()])].slice(0, 24)));
  } catch {
    // A browser that stores nothing only forgets the names.
  }
}

export function createSeats() {
  const names = el("ol", { class: "names" });
  const more = el("button", { type: "button", class: "quiet", onclick: () => add("", true) }, "+ another player");
  const known = el("datalist", { id: "known-names" });
  const teams = el("select", { id: "lobby-teams" },
    el("option", { value: 0 }, "Each alone"), el("option", { value: 2 }, "Two teams"), el("option", { value: 3 }, "Three teams"));
  const start = el("select", { id: "lobby-start" });
  const element = el("fieldset", {}, el("legend", {}, "Who plays?"), names, more, known,
    el("div", { class: "pair" },
      el("div", { class: "field" }, el("label", { for: "lobby-teams" }, "Teams"), teams),
      el("div", { class: "field" }, el("label", { for: "lobby-start" }, "Who starts"), start)));

  const inputs = () => [...names.querySelectorAll("input")];
  const seated = () => inputs().map((input) => input.value.trim()).filter(Boolean);

  function number() {
    const sides = Number(teams.value);
    [...names.children].forEach((row, place) => {
      row.querySelector(".mark").replaceWith(mark(markOf(sides ? place % sides : place)));
      row.querySelector(".team").textContent = sides ? TEAMS[place % sides] : "";
      const input = row.querySelector("input");
      input.setAttribute("aria-label", `Player ${place + 1}`);
      input.setAttribute("placeholder", `Player ${place + 1}`);
      row.querySelector("button").hidden = names.children.length === 1;
    });
    more.hidden = names.children.length >= MOST;
    starters();
  }

  // A chosen starter stays with its seat while names are edited.
  function starters() {
    const chosen = Math.max(0, start.selectedIndex);
    start.replaceChildren(...inputs().map((input, place) =>
      el("option", { value: place, selected: place === chosen }, input.value.trim() || `Player ${place + 1}`)));
  }

  function add(name, focus) {
    if (names.children.length >= MOST) return;
    const input = el("input", { type: "text", maxlength: 20, autocomplete: "off", list: "known-names", value: name, enterkeyhint: "next" });
    const row = el("li", {}, mark(markOf(0)), input, el("small", { class: "team" }),
      el("button", { type: "button", class: "quiet", "aria-label": "Take this player off", onclick: () => { row.remove(); number(); } }, "×"));
    names.append(row);
    number();
    if (focus) input.focus();
  }

  // Begins anew with the players and teams of a game, or with the names remembered here.
  function fill(state) {
    known.replaceChildren(...remembered().map((name) => el("option", { value: name })));
    names.replaceChildren();
    const sides = Object.keys(state.teams ?? {}).length;
    teams.value = sides === 2 || sides === 3 ? String(sides) : "0";
    const sitting = state.players.length ? state.players.map((player) => player.name) : remembered().slice(0, 2);
    for (const name of sitting) add(name, false);
    while (names.children.length < state.lobby.players && !state.players.length) add("", false);
  }

  // Returns what a new game sends; teams and starter only if they are not the default.
  function chosen() {
    const players = seated();
    const sides = Number(teams.value);
    const begins = inputs()[start.selectedIndex]?.value.trim();
    const members = TEAMS.slice(0, sides).map((team, side) => [team, players.filter((_, place) => place % sides === side)]);
    return {
      players,
      ...(sides ? { teams: Object.fromEntries(members) } : {}),
      ...(begins && begins !== players[0] ? { start: begins } : {}),
    };
  }

  teams.addEventListener("change", number);
  names.addEventListener("input", starters);
  return { element, fill, add: () => add("", false), chosen, focus: () => byId("lobby").querySelector(".names input")?.focus() };
}
