// Another game: a rematch, and the question whether a game under way may be replaced. That game is kept.

import { el } from "./dom.js";
import { t } from "./words.js";

// Returns a rematch of the game at the table, as `POST /api/v1/game` takes it: with its bots by kind.
export function rematchOf(state) {
  const asked = new Map(state.players.map((player) => [player.name, player.bot ? `bot:${player.bot}` : player.name]));
  const teams = Object.entries(state.teams ?? {}).map(([team, members]) => [team, members.map((name) => asked.get(name) ?? name)]);
  return {
    rules: state.rules, settings: state.settings ?? {}, track: state.track, players: [...asked.values()],
    ...(teams.length ? { teams: Object.fromEntries(teams) } : {}),
  };
}

// Returns the standing of the game at the table, by side: "Ann 40", "Ben 38".
function standing({ players, teams = {} }) {
  const sides = new Map(players.map((player) => [player.side ?? player.name, player]).reverse());
  const named = (player) => Object.entries(teams).find(([, members]) => members.includes(player.name))?.[0] ?? player.name;
  return [...sides.values()].reverse().map((player) => t("ask_first.side", { name: named(player), score: player.score }));
}

// Resolves to true if no game is under way, or the players agree to replace it; `words` label the button that agrees.
export function mayLeave(state, words) {
  if (["lobby", "over"].includes(state.phase) || !state.players.length) return Promise.resolve(true);
  return askFirst(t("ask_first.kept", { sides: standing(state) }), words);
}

// Asks in a dialog; resolves to true if the button that `words` label is pressed.
export function askFirst(text, words) {
  return new Promise((answered) => {
    const answer = (value) => () => dialog.close(value);
    const dialog = el("dialog", { class: "ask-first", "aria-labelledby": "ask-first-text", onclose: () => { answered(dialog.returnValue === "yes"); dialog.remove(); } },
      el("p", { id: "ask-first-text" }, text),
      el("div", { class: "answers" },
        el("button", { type: "button", class: "solid", onclick: answer("yes") }, words),
        el("button", { type: "button", class: "plain", onclick: answer("") }, t("ask_first.go_back"))));
    document.body.append(dialog);
    dialog.showModal();
  });
}
