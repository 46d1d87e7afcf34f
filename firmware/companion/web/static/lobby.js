// A new game: who plays, by which rules with which house rules, on which track.

import { Refused, read } from "./api.js";
import { byId, el, plural } from "./dom.js";
import { createHouse } from "./house.js";
import { createSeats, remember } from "./seats.js";

const CHECK_MS = 200;

export function createLobby(act, say, onCancel) {
  const form = byId("lobby");
  const seats = createSeats();
  const house = createHouse(() => { clearTimeout(waiting); waiting = setTimeout(check, CHECK_MS); });
  const rules = el("select", { id: "lobby-rules", name: "rules", "aria-describedby": "lobby-about", onchange: () => choose() });
  const about = el("p", { id: "lobby-about", class: "about" });
  const card = el("a", { class: "quiet", href: "/rules", target: "_blank", rel: "noopener" }, "Rule card");
  const reason = el("p", { class: "reason", role: "alert", hidden: true });
  const cancel = el("button", { type: "button", class: "quiet", onclick: onCancel }, "Back to the game");
  const tracks = [121, 241].map((holes) => ({
    holes, note: el("small"), input: el("input", { type: "radio", name: "track", value: holes, checked: holes === 121 }),
  }));
  const answers = el("div", { class: "answers" }, el("button", { type: "submit", class: "solid" }, "Start the game"), cancel);
  const words = { 121: "121 holes", 241: "241 holes, twice round" };
  let filled = false;
  let written = false; // by hand, since the form was filled
  let joined = 0;
  let asking = 0; // the newest question to the table; the answer to an older one is stale
  let waiting = null;

  form.setAttribute("novalidate", "");
  form.append(
    el("h2", {}, "A new game"),
    seats.element,
    el("div", { class: "field" }, el("label", { for: "lobby-rules" }, "Rules"), rules, about, el("p", {}, card)),
    house.element,
    el("fieldset", { class: "tracks" }, el("legend", {}, "Track"),
      ...tracks.map(({ holes, input, note }) => el("label", { class: "pick" }, input, el("span", {}, words[holes], " ", note)))),
    reason, answers);

  // Shows why the game cannot be played like that: below `row`, or above the button that starts it.
  function tell(sentence, row = null) {
    if (row) row.after(reason);
    else answers.before(reason);
    const words = house.worded(sentence);
    reason.textContent = words.charAt(0).toUpperCase() + words.slice(1);
    reason.hidden = !sentence;
  }

  // Asks the table about the chosen rules with these settings; null if it refuses.
  async function ask(settings) {
    const mine = (asking += 1);
    const query = String(new URLSearchParams(settings));
    try {
      const told = await read(`rules/${encodeURIComponent(rules.value)}${query ? `?${query}` : ""}`);
      if (mine !== asking) return null;
      tell("");
      card.href = told.card;
      for (const { holes, input, note } of tracks) {
        const track = told.tracks.find((one) => one.holes === holes);
        const fits = track && (track.fits || told.to_track_end);
        note.textContent = track ? `${plural(track.points_a_hole, "point")} a hole${fits ? "" : ", too short"}` : "not for these rules";
        input.disabled = !track;
      }
      return told;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (mine === asking) tell(error.message, house.touched());
      return null;
    }
  }

  const check = () => ask(house.settings());

  async function choose(settings = {}) {
    const told = await ask(settings);
    if (!told) return;
    about.textContent = told.about;
    house.load(told);
  }

  // Chooses the rules of the last game to play it again, else those that the table's lobby has chosen.
  async function fillRules(state) {
    const { sets } = await read("rules").catch((error) => { tell(error.message); return { sets: [] }; });
    rules.replaceChildren(...sets.map(({ key, title }) => el("option", { value: key }, title)));
    const known = sets.some(({ key }) => key === state.rules);
    rules.value = known && state.phase !== "lobby" ? state.rules : state.lobby.rules;
    // Before the first game the settings are those that the table was started with.
    const settings = { ...(state.phase === "lobby" ? !state.rules : known) && state.settings };
    for (const { holes, input } of tracks) input.checked = holes === state.track;
    // A target at the end of the track follows from the track, so it is no house rule.
    if (settings.target === state.track) delete settings.target;
    if (sets.length) await choose(settings);
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = seats.chosen();
    if (!chosen.players.length) {
      say("Write at least one name.");
      seats.focus();
      return;
    }
    const track = Number(form.elements.namedItem("track").value);
    const game = { rules: rules.value, settings: house.settings(), track, ...chosen };
    clearTimeout(waiting);
    asking += 1;
    tell("");
    if (await act("game", game, (sentence) => { tell(sentence); reason.scrollIntoView({ block: "nearest" }); })) {
      remember(chosen.players);
      filled = false;
      onCancel();
    }
  });

  function show(state, asked) {
    form.hidden = !(state.phase === "lobby" || asked);
    cancel.hidden = state.phase === "lobby";
    if (form.hidden) filled = false;
    else if (!filled) {
      filled = true;
      written = false;
      seats.fill(state);
      fillRules(state);
    } else if (state.lobby.players > joined) seats.add(); // joined by a button
    if (!form.hidden) joined = state.lobby.players;
    // Choose the rules that ROLL chose last.
    if (state.phase === "lobby" && form.dataset.rules !== state.lobby.rules && rules.options.length) {
      rules.value = state.lobby.rules;
      choose();
    }
    form.dataset.rules = state.lobby.rules;
  }
  form.addEventListener("input", () => { written = true; });
  return { show, written: () => written && !form.hidden, submit: () => form.requestSubmit() };
}
