// The players: a row for each in the order of their turns, teams, who starts, and names and teams of earlier games.

import { el, mark } from "./dom.js";
import { joined, t } from "./words.js";

const MOST = 12;
const LONGEST = 100; // the table refuses a name that is too long
const COLORS = ["orange", "sky blue", "bluish green", "yellow", "vermilion", "purple"];
const SHAPES = ["circle", "diamond", "square", "triangle", "pentagon", "star"];
const TEAMS = ["A", "B", "C"].map((letter) => t("form.team", { letter }));

const BOTS = { cautious: "form.bot_cautious", bold: "form.bot_bold", best: "form.bot_best", human: "form.bot_human" };

// The kind of bot that a name such as `bot:bold` asks for; undefined for a person.
const kindOf = (name) => /^bot:(\w+)$/i.exec(name)?.[1].toLowerCase();
const kindWords = (name) => t(BOTS[kindOf(name)] ?? "form.bot_other");
const playerName = (place) => t("form.player", { number: place + 1 });
const markOf = (number) => ({ color: COLORS[number % 6], shape: SHAPES[(number + 3 * Math.floor(number / 6)) % 6] });
const same = (a, b) => a.length === b.length && a.every((each, place) => each.toLowerCase() === b[place].toLowerCase());

// Calls `onEdit` with the fields of the draft that a person has changed.
export function createSeats(onEdit) {
  const names = el("ol", { class: "names" });
  const more = el("button", { type: "button", class: "quiet", onclick: () => setNames([...written(), ""], true) }, t("form.add"));
  const fewer = el("button", { type: "button", class: "quiet", onclick: () => setNames(written().filter(Boolean)) }, t("form.remove_empty"));
  const board = el("select", { id: "lobby-bots", class: "quiet", "aria-label": t("form.add_bot"), onchange: () => { join(board.value); board.value = ""; } });
  const note = el("p", { class: "about", role: "status" });
  const reason = el("p", { class: "reason", id: "names-reason", role: "alert", hidden: true });
  const known = el("div", { class: "chips", role: "group", "aria-label": t("form.earlier_players") });
  const teams = el("select", { id: "lobby-teams", onchange: () => { number(); onEdit({ teams: chosenTeams() }); } },
    el("option", { value: 0 }, t("form.each_alone")), el("option", { value: 2 }, t("form.two_teams")), el("option", { value: 3 }, t("form.three_teams")));
  const start = el("select", { id: "lobby-start", onchange: () => onEdit({ start: chosenStart() }) });
  const pair = el("div", { class: "pair" },
    el("div", { class: "field" }, el("label", { for: "lobby-teams" }, t("form.teams")), teams),
    el("div", { class: "field" }, el("label", { for: "lobby-start" }, t("form.starts")), start));
  const element = el("fieldset", { class: "who-plays" }, el("legend", {}, t("form.who_plays")), known, names,
    el("div", { class: "rows" }, more, board, fewer), note, reason,
    pair);
  let earlier = { names: [], groups: [] };
  let teamNames = [];
  let called = [];
  let asked = []; // the names of the draft, to which those in `called` belong
  let kinds = "";

  const inputs = () => [...names.querySelectorAll("input")];
  const nameIn = (input) => input.dataset.bot ?? input.value.trim();
  const written = () => inputs().map(nameIn);
  const calledNow = () => inputs().map((input, place) => input.value.trim() || input.placeholder || playerName(place));
  const shownName = (name) => (kindOf(name) ? t("form.bot_in_group", { kind: kindWords(name) }) : name);
  const chosenStart = () => (start.value === "throw" ? "throw" : Number(start.value));

  function chosenTeams() {
    const sides = Number(teams.value);
    return teamNames.length === sides ? teamNames : TEAMS.slice(0, sides);
  }

  // Draws everything that depends on the rows: marks, teams, the words about empty rows, and who may start.
  function number() {
    const sides = chosenTeams();
    [...names.children].forEach((row, place) => {
      row.querySelector(".mark").replaceWith(mark(markOf(sides.length ? place % sides.length : place)));
      const input = row.querySelector("input");
      const { bot } = input.dataset;
      row.querySelector(".team").textContent = [bot ? kindWords(bot) : "", sides.length ? sides[place % sides.length] : ""].filter(Boolean).join(" · ");
      input.setAttribute("aria-label", playerName(place));
      input.placeholder = called[place] ?? playerName(place);
      const off = row.querySelector("button");
      off.hidden = names.children.length === 1;
      off.setAttribute("aria-label", t("form.remove", { number: place + 1 }));
    });
    more.hidden = names.children.length >= MOST;
    board.hidden = !board.options.length || (more.hidden && !written().includes(""));
    const empty = inputs().filter((input) => !input.value.trim()).map((input) => input.placeholder);
    const some = empty.length > 0 && empty.length < names.children.length;
    fewer.hidden = !some;
    const words = empty.length > 3 ? t("form.nameless_to", { first: empty[0], last: empty.at(-1) }) : t("form.nameless", { names: empty });
    note.textContent = some ? words : "";
    note.hidden = !some;
    const chosen = start.value;
    start.replaceChildren(...calledNow().map((name, place) => el("option", { value: place }, name)), el("option", { value: "throw" }, t("form.throw_for_it")));
    start.value = chosen;
    if (start.selectedIndex < 0) start.selectedIndex = 0;
    chips();
  }

  function chips() {
    const seated = calledNow().map((name) => name.toLowerCase());
    const free = earlier.names.filter((name) => !seated.includes(name.toLowerCase()));
    const groups = earlier.groups.filter((group) => group.players.length > 1 && !same(group.players, written()));
    const words = ({ players, teams: sides }) => (sides.length
      ? sides.map((_, side) => joined(players.filter((_name, place) => place % sides.length === side).map(shownName))).join(t("form.versus"))
      : joined(players.map(shownName)));
    const focused = document.activeElement?.dataset?.chip;
    known.replaceChildren(
      ...groups.map((group) => el("button", { type: "button", class: "chip group", "data-chip": words(group), onclick: () => take(group) }, words(group))),
      ...free.map((name) => el("button", { type: "button", class: "chip", "data-chip": name, "aria-label": t("form.name_plays", { name }), onclick: () => join(name) }, t("form.name", { name }))));
    known.hidden = !known.children.length;
    if (focused) [...known.children].find((chip) => chip.dataset.chip === focused)?.focus();
  }

  function take(group) {
    teamNames = group.teams;
    teams.value = String(group.teams.length);
    draw(group.players);
    onEdit({ names: group.players, teams: group.teams });
  }

  function join(name) {
    const now = written();
    const place = now.indexOf("");
    if (place >= 0) setNames(now.map((each, at) => (at === place ? name : each)));
    else if (now.length < MOST) setNames([...now, name]);
  }

  function setNames(list, focus = false) {
    draw(list);
    if (focus) inputs().at(-1).focus();
    onEdit({ names: written() });
  }

  function remove(row) {
    const list = inputs().filter((input) => !row.contains(input)).map(nameIn);
    setNames(list);
  }

  function rowFor() {
    const input = el("input", { type: "text", maxlength: LONGEST, autocomplete: "off", autocapitalize: "words", enterkeyhint: "next", "aria-describedby": "names-reason" });
    const off = el("button", { type: "button", class: "quiet", onclick: () => remove(row) }, "×");
    const row = el("li", {}, mark(markOf(0)), input, el("small", { class: "team" }), off);
    return row;
  }

  function draw(list, keep = null) {
    while (names.children.length > list.length) names.lastElementChild.remove();
    while (names.children.length < list.length) names.append(rowFor());
    inputs().forEach((input, place) => {
      if (input === keep) return;
      const bot = kindOf(list[place]) ? list[place] : null;
      const name = bot ? (asked[place] === bot ? called[place] : t("form.bot_name")) : list[place];
      if (bot) input.dataset.bot = bot;
      else delete input.dataset.bot;
      input.readOnly = Boolean(bot);
      if (input.value.trim() !== name) input.value = name;
    });
    number();
  }

  // Shows the draft, except for a name that is being typed here.
  function show(draft) {
    called = draft.called ?? [];
    asked = draft.names;
    if (kinds !== String(draft.bots ?? [])) {
      kinds = String(draft.bots ?? []);
      board.replaceChildren(el("option", { value: "" }, t("form.add_bot")), ...draft.bots.map((kind) => el("option", { value: `bot:${kind}` }, kindWords(`bot:${kind}`))));
    }
    teamNames = draft.teams ?? [];
    teams.value = String(teamNames.length);
    const typed = names.contains(document.activeElement) ? document.activeElement : null;
    draw(draft.names, typed);
    start.value = String(draft.start === "throw" ? "throw" : Number(draft.start) || 0);
    reason.textContent = draft.about === "names" ? draft.problem : "";
    reason.hidden = !reason.textContent;
  }

  names.addEventListener("input", () => { number(); onEdit({ names: written() }); });
  names.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.localName !== "input") return;
    event.preventDefault(); // Enter moves to the next row and does not start a game
    (inputs()[inputs().indexOf(event.target) + 1] ?? more).focus();
  });
  return {
    element, show,
    // Where each plays alone, the table says who begins.
    alone: (is) => { pair.hidden = is; if (is) teams.value = "0"; },
    offer: (given) => { earlier = given; chips(); },
    chosen: () => ({ names: written(), teams: chosenTeams(), start: chosenStart() }),
    count: () => names.children.length,
  };
}
