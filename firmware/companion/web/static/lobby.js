// A new game: who plays, by which rules, on which track. Names used before are remembered in this browser only.

import { byId, el, mark } from "./dom.js";

const MOST = 12;
const REMEMBERED = "farkle-crib-names";
const COLORS = ["orange", "sky blue", "bluish green", "yellow", "vermilion", "purple"];
const SHAPES = ["circle", "diamond", "square", "triangle", "pentagon", "star"];

const markOf = (number) => ({ color: COLORS[number % 6], shape: SHAPES[(number + 3 * Math.floor(number / 6)) % 6] });

function remembered() {
  try {
    const names = JSON.parse(localStorage.getItem(REMEMBERED) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function remember(names) {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify([...new Set([...names, ...remembered()])].slice(0, 24)));
  } catch {
    // A browser that stores nothing only forgets the names.
  }
}

export function createLobby(act, say, onCancel) {
  const form = byId("lobby");
  const names = el("ol", { class: "names" });
  const more = el("button", { type: "button", class: "quiet", onclick: () => add("", true) }, "+ another player");
  const rules = el("select", { id: "lobby-rules", name: "rules" });
  const known = el("datalist", { id: "known-names" });
  const cancel = el("button", { type: "button", class: "quiet", onclick: onCancel }, "Back to the game");
  let filled = false;
  let seats = 0;

  function number() {
    [...names.children].forEach((row, place) => {
      row.querySelector(".mark").replaceWith(mark(markOf(place)));
      row.querySelector("input").setAttribute("aria-label", `Player ${place + 1}`);
      row.querySelector("input").setAttribute("placeholder", `Player ${place + 1}`);
      row.querySelector("button").hidden = names.children.length === 1;
    });
    more.hidden = names.children.length >= MOST;
  }

  function add(name, focus) {
    if (names.children.length >= MOST) return;
    const input = el("input", { type: "text", maxlength: 20, autocomplete: "off", list: "known-names", value: name, enterkeyhint: "next" });
    const row = el("li", {}, mark(markOf(0)), input,
      el("button", { type: "button", class: "quiet", "aria-label": "Take this player off", onclick: () => { row.remove(); number(); } }, "×"));
    names.append(row);
    number();
    if (focus) input.focus();
  }

  function track(holes, words) {
    return el("label", { class: "pick" }, el("input", { type: "radio", name: "track", value: holes, checked: holes === 121 }), el("span", {}, words));
  }

  function build(state) {
    form.replaceChildren(
      el("h2", {}, "A new game"),
      el("fieldset", {}, el("legend", {}, "Who plays?"), names, more, known),
      el("div", { class: "field" }, el("label", { for: "lobby-rules" }, "Rules"), rules),
      el("fieldset", { class: "tracks" }, el("legend", {}, "Track"), track(121, "121 holes"), track(241, "241 holes, twice round")),
      el("div", { class: "answers" }, el("button", { type: "submit", class: "solid" }, "Start the game"), cancel));
    known.replaceChildren(...remembered().map((name) => el("option", { value: name })));
    rules.replaceChildren(...(state.catalogue ?? []).map(({ key, title }) => el("option", { value: key, selected: key === state.rules }, title)));
    names.replaceChildren();
    const sitting = state.players.length ? state.players.map((player) => player.name) : remembered().slice(0, 2);
    for (const name of sitting) add(name, false);
    while (names.children.length < state.lobby.players && !state.players.length) add("", false);
    filled = true;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const players = [...names.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
    if (!players.length) {
      say("Write at least one name.");
      names.querySelector("input")?.focus();
      return;
    }
    const holes = Number(form.elements.namedItem("track").value);
    if (await act("game", { rules: rules.value, settings: {}, track: holes, players })) {
      remember(players);
      filled = false;
      onCancel();
    }
  });

  function show(state, asked) {
    form.hidden = !(state.phase === "lobby" || asked);
    cancel.hidden = state.phase === "lobby";
    if (form.hidden) filled = false;
    else {
      if (!filled) build(state);
      // Who joins by button joins here too.
      else if (state.lobby.players > seats) add("", false);
      seats = state.lobby.players;
    }
    // The rules that ROLL chose last are chosen here too.
    if (state.phase === "lobby" && form.dataset.rules !== state.lobby.rules) rules.value = state.lobby.rules;
    form.dataset.rules = state.lobby.rules;
  }
  return { show };
}
