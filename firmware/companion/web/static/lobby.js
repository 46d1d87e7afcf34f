// A new game: its players, rules, house rules and track. The table keeps the draft, so every page and the three buttons
// act on the same draft. An edit is sent after a pause, and no state replaces it on the form until the table has it.

import { Refused, Silent, read, write } from "./api.js";
import { byId, el } from "./dom.js";
import { createHouse, createSaving } from "./house.js";
import { createSeats } from "./seats.js";
import { capital, t } from "./words.js";

const PAUSE_MS = 200;

const FORMS = { "": "form.one_game", round_robin: "form.round_robin", knock_out: "form.knock_out" };
const HOW = { "": "", round_robin: "form.how_round_robin", knock_out: "form.how_knock_out" };

const sorted = (settings) => JSON.stringify(Object.entries(settings ?? {}).sort());

export function createLobby(act, again) {
  const form = byId("lobby");
  const seats = createSeats((changes) => edit(changes));
  const house = createHouse(() => { checking = true; edit({ settings: house.settings(), track: track() }); }); // keeps the track that is shown
  const rules = el("select", { id: "lobby-rules", name: "rules", "aria-describedby": "lobby-about", onchange: () => { checking = false; edit({ rules: rules.value, settings: {} }); filling = choose({}, true); } });
  const saving = createSaving(async (path, body) => {
    await flush();
    tell("");
    return act(path, body, (sentence) => tell(sentence, saving.element));
  });
  // One game, or a tournament of these players: its rule stands below.
  const plays = el("select", { id: "lobby-plays", "aria-describedby": "lobby-plays-about", onchange: () => { edit({ plays: plays.value }); playing(); } },
    ...Object.entries(FORMS).map(([form, words]) => el("option", { value: form }, t(words))));
  const how = el("p", { class: "about", id: "lobby-plays-about" });
  const table = el("a", { class: "quiet", href: "/tournament" }, t("form.tournament"));
  const about = el("span", { id: "lobby-about" });
  const card = el("a", { class: "quiet", href: "/rules", target: "_blank", rel: "noopener" }, t("form.card"));
  const reason = el("p", { class: "reason", role: "alert", hidden: true });
  const back = el("button", { type: "button", class: "quiet", onclick: () => act("lobby", { open: false }, tell) }, t("form.go_back"));
  const start = el("button", { type: "submit", class: "solid", "data-glows": true });
  const same = el("button", { type: "button", class: "plain", id: "same-again" });
  const others = el("div", { class: "chips", role: "group", "aria-label": t("form.unfinished") });
  const choices = el("fieldset", { class: "tracks" });
  let tracks = []; // the tracks to choose from: holes, and their input, name and note on the form
  const answers = el("div", { class: "answers" }, start, back);
  const { missing } = byId("room").dataset; // the step of the set-up that real dice need
  const realDice = missing ? el("a", { class: "quiet real-dice", href: missing === "tray" ? "/calibrate" : "/set-up" }, missing === "tray" ? t("form.show_tray") : t("form.real_dice")) : null;
  let state = null;
  let draft = null; // as in the last state
  let shown = ""; // the rules and settings that the form was last filled with
  let listed = ""; // the rule sets of the house that are offered
  let listing = false; // the rule sets are being read
  let sets = []; // the rule sets that are offered, as on their sheets
  let open = false;
  let pending = null; // changes that are not sent yet
  let sending = null; // resolves when the changes have been sent
  let told = false; // a state or a refusal arrived during the sending
  let unsent = false; // the table did not answer; the changes are sent again when it does
  let asking = 0; // the newest question about rules; the answer to an older one is stale
  let checking = false; // switches were changed, and the table has not been asked about them
  let waiting = null;
  let loading = 0; // questions about rules whose answers fill the form
  let filling = null; // resolves when the form has the rules and settings that were asked for last

  form.setAttribute("novalidate", "");
  form.append(
    el("div", { class: "first" }, el("h2", {}, t("form.title")), realDice ?? "", same, others),
    el("div", { class: "columns" },
      seats.element,
      el("div", { class: "by-which" },
        el("div", { class: "field" }, el("label", { for: "lobby-plays" }, t("form.plays")), plays, how, table),
        el("div", { class: "field" }, el("label", { for: "lobby-rules" }, t("form.rules")), rules, el("p", { class: "about" }, about, " ", card)),
        house.element,
        saving.element,
        choices)),
    answers);

  // Shows why these rules cannot be played: below `row`, or above the button that starts the game.
  function tell(sentence, row = null) {
    if (row) row.after(reason);
    else answers.before(reason);
    reason.textContent = capital(house.worded(sentence));
    reason.hidden = !sentence;
  }

  function edit(changes) {
    pending = { ...pending, ...changes };
    label();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (checking) ask(house.settings());
      flush();
    }, PAUSE_MS);
  }

  // Sends the edits, one request after the other; resolves when the table has them.
  function flush() {
    clearTimeout(waiting);
    if (pending) sending ??= send().finally(() => { sending = null; });
    return sending ?? Promise.resolve();
  }

  async function send() {
    told = unsent = false;
    while (pending) {
      const body = { start: seats.chosen().start, ...pending }; // the form that is edited also says who starts
      pending = null;
      try {
        await write("lobby", body);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (open) tell(error.message);
        if (error instanceof Silent) {
          pending = { ...body, ...pending };
          unsent = true;
          return;
        }
        told = true;
      }
    }
    if (open && told) draw();
  }

  function take(next) {
    if (next?.lobby) draft = { ...next.lobby, names: next.lobby.names ?? Array(next.lobby.players).fill("") };
  }

  // Asks the table about the chosen rules with these settings; null if it refuses.
  async function ask(settings) {
    const mine = (asking += 1);
    checking = false;
    const query = String(new URLSearchParams(settings));
    try {
      const told = await read(`rules/${encodeURIComponent(rules.value)}${query ? `?${query}` : ""}`);
      if (mine !== asking) return null;
      fit(told);
      return told;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (mine === asking) tell(error.message, house.touched());
      return null;
    }
  }

  // Shows what the rules are, and on which tracks they can be played.
  function fit(told) {
    tell("");
    about.textContent = told.about;
    card.href = told.card ?? `/rules/${encodeURIComponent(told.key)}`;
    for (const { holes, input, name, note } of tracks) {
      const track = told.tracks.find((one) => one.holes === holes);
      input.disabled = !track;
      name.textContent = named(holes, track?.rounds ?? 1);
      note.textContent = track ? onTrack(track) : "";
    }
  }

  function named(track, times) {
    if (times > 2) return t("form.holes_often", { track, times });
    return times === 2 ? t("form.holes_twice", { track }) : t("form.holes", { track });
  }

  // Offers the tracks that the board has.
  function offer() {
    tracks = draft.tracks.map((holes) => ({
      holes, name: el("span", {}, named(holes, 1)), note: el("small"),
      input: el("input", { type: "radio", name: "track", value: holes, onchange: () => edit({ track: holes }) }),
    }));
    choices.replaceChildren(el("legend", {}, t("form.track")),
      ...tracks.map(({ input, name, note }) => el("label", { class: "pick" }, input, el("span", {}, name, " ", note))));
  }

  // Says what a hole is worth, and where the game ends if that is before the end of the track.
  function onTrack({ holes, points_a_hole: points, finish, fits }) {
    if (!fits) return t("form.too_short", { points });
    return finish && finish < holes ? t("form.ends_before", { points, hole: finish }) : t("form.worth", { points });
  }

  // Fills the form with the chosen rules. Until they arrive, the fields that they replace cannot be edited. The switches
  // are read when somebody chooses rules here, touches the form, or sets house rules.
  async function choose(settings, all = false) {
    const sheet = sets.find(({ key }) => key === rules.value);
    if (sheet && !all && !house.element.open && !Object.keys(settings).length) {
      asking += 1;
      checking = false;
      house.load({ groups: [] });
      fit(sheet);
      return;
    }
    loading += 1;
    house.element.inert = all !== "prepared";
    const told = await ask(settings).finally(() => {
      loading -= 1;
      house.element.inert = loading > 0;
    });
    if (told) house.load(told);
  }

  // Offers the rule sets in their groups.
  async function list() {
    listed = JSON.stringify(draft?.own_rules ?? {});
    shown = "";
    listing = true;
    ({ sets } = await read("rules").catch((error) => { tell(error.message); return { sets: [] }; }));
    listing = false;
    const groups = [...new Set(sets.map((each) => each.group_title))];
    rules.replaceChildren(...groups.map((label) =>
      el("optgroup", { label }, ...sets.filter((each) => each.group_title === label).map(({ key, title }) => el("option", { value: key }, title)))));
    if (open) draw();
  }

  async function fill() {
    await list();
    const earlier = await read("lobby/earlier").catch(() => ({ names: [], groups: [], unfinished: [] }));
    seats.offer(earlier);
    others.replaceChildren(...earlier.unfinished.map(({ number, standing, day }) =>
      el("button", { type: "button", class: "chip", onclick: () => act(`games/${number}/resume`, {}, tell) }, day ? t("form.go_on_from", { standing, day }) : t("form.go_on", { standing }))));
    others.hidden = !others.children.length;
  }

  // The track that the form shows; undefined if the rules cannot be played on it.
  const track = () => tracks.find(({ input }) => input.checked && !input.disabled)?.holes;

  function label() {
    start.textContent = plays.value ? t("form.start_tournament") : t("form.start", { players: seats.count() });
  }

  // Says how the chosen tournament is played.
  function playing() {
    how.textContent = HOW[plays.value] ? t(HOW[plays.value]) : "";
    how.hidden = !plays.value;
    seats.alone(Boolean(plays.value));
    label();
  }

  // Fills the form with the draft, except for the fields that are being edited.
  function draw() {
    if (!draft || pending) return;
    seats.show(draft);
    if (JSON.stringify(draft.tracks) !== JSON.stringify(tracks.map(({ holes }) => holes))) {
      offer();
      if (sets.length && !listing) list();
    }
    for (const { holes, input } of tracks) input.checked = holes === draft.track;
    plays.value = draft.plays;
    playing();
    saving.show(draft, Object.keys(draft.settings ?? {}).length > 0);
    if (rules.options.length && listed !== JSON.stringify(draft.own_rules ?? {})) list();
    if (rules.options.length && !listing) {
      const now = `${draft.rules} ${sorted(draft.settings)}`;
      const here = rules.value === draft.rules && sorted(house.settings()) === sorted(draft.settings);
      if (shown === "" || (now !== shown && !here && !house.element.contains(document.activeElement))) {
        rules.value = draft.rules;
        filling = choose(draft.settings ?? {});
      }
      shown = now;
    }
    if (draft.about === "rules" && reason.hidden) tell(draft.problem);
  }

  // The switches are read at the first touch of the form, so that they are there when house rules are opened.
  const prepare = () => { if (!house.loaded() && !loading && rules.options.length) filling = choose(house.settings(), "prepared"); };
  for (const touch of ["focusin", "pointerdown"]) form.addEventListener(touch, prepare);
  house.element.addEventListener("toggle", () => { if (house.element.open) prepare(); });
  form.addEventListener("focusout", () => setTimeout(() => open && !sending && draw()));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    for (let last; last !== filling; await last) last = filling; // otherwise settings that are being loaded would be lost
    const chosen = shown && { rules: rules.value, settings: house.settings(), track: track() }; // else only the draft has them
    const game = { ...pending, ...seats.chosen(), plays: plays.value, ...chosen };
    asking += 1;
    tell("");
    pending = game; // set first, so that the edits are kept if the game cannot start
    await flush();
    await act("lobby/start", game, (sentence) => { tell(sentence); reason.scrollIntoView({ block: "nearest" }); });
  });

  function show(next) {
    state = next;
    form.hidden = state.phase !== "lobby";
    const opened = !form.hidden && !open;
    open = !form.hidden;
    if (!open) return;
    take(state);
    back.hidden = !state.players.length;
    same.hidden = !state.players.length;
    const { tournament } = state;
    const words = tournament?.may_begin ? tournament.next.replace(/\.$/, "") : t("form.same_again", { names: state.players.map((player) => player.name) });
    same.onclick = tournament?.may_begin ? () => act("tournament/next", {}, tell) : () => again(tell);
    if (same.firstChild?.textContent !== words) same.replaceChildren(words, el("small", {}, (tournament?.may_begin ? tournament.title : state.title) ?? ""));
    table.hidden = !tournament;
    if (opened) {
      pending = null;
      unsent = false;
      tell("");
      others.hidden = true;
      draw();
      filling = fill();
    } else if (sending) told = true;
    else if (unsent) {
      tell("");
      flush();
    } else draw();
  }
  return { show, flush };
}
