// The table's page: shows each state; keys, notices, players and the connection.

import { Refused, choose, chosen, follow, read, write } from "./api.js";
import { createBoard } from "./board.js";
import { createButtons, throwsOnPage } from "./buttons.js";
import { botSign, byId, el, mark, style, watching, withDice } from "./dom.js";
import { connect } from "./stream.js";
import { number, t } from "./words.js";

const NOTICE_MS = 6000;
const DEAD_MS = 400;
const room = byId("room");
const notice = byId("notice");
let state = JSON.parse(byId("state").textContent);
let newest = state; // as the table sent it; `state` is what this phone's seat and its choice make of it
let seat = null;
let hiding = null;

// Shows a notice, with a button for `[label, onPress]`, which stays until something is done.
function say(words, remedy = null) {
  notice.replaceChildren(words);
  if (remedy) notice.append(el("button", { type: "button", class: "plain", onclick: () => { notice.hidden = true; remedy[1](); } }, remedy[0]));
  notice.style.top = `${byId("players").getBoundingClientRect().bottom + 6}px`; // over no player
  notice.hidden = false;
  clearTimeout(hiding);
  if (!remedy) hiding = setTimeout(() => { notice.hidden = true; }, NOTICE_MS);
}

let acted = { act: "", at: -Infinity };

// The same button twice in a moment counts once, as at the table.
function isTwice(path, body) {
  const now = { act: `${path} ${JSON.stringify(body)}`, at: performance.now() };
  if (now.act === acted.act && now.at - acted.at < DEAD_MS) return true;
  acted = now;
  return false;
}

// Chooses dice. The choice can be made as long as the same player has the same throw.
function keep(body) {
  const { throw_seq: thrown, to_move: mover } = state;
  return choose("keep", body, (now) => now.phase === "choosing" && now.throw_seq === thrown && now.to_move === mover);
}

async function act(path, body, refused = say) {
  if (path !== "keep" && isTwice(path, body)) return false;
  try {
    await (path === "keep" ? keep(body) : write(path, body));
    notice.hidden = true;
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error.message);
    if (error.status === 403) checkAccess(); // the phone may have been taken away
    return false;
  }
}

// Opens the form of a new game for the whole table. Asks first if a game is under way; that game is kept.
async function wantGame() {
  const { mayLeave } = await import("./newgame.js");
  if (await mayLeave(state, t("ask_first.start"))) act("lobby", { open: true });
}

// Returns a function that shows the state on a part of the page, and loads the part's script on first use.
function lazily(load, wanted) {
  let part = null;
  let loading = null;
  return async () => {
    if (!part && wanted()) {
      loading ??= load().then((made) => { part = made; }).catch(() => { loading = null; }); // the next state tries again
      await loading;
    }
    part?.show(state);
    return part;
  };
}

const board = createBoard(byId("board"));
const showPlay = lazily(async () => (await import("./play.js")).createPlay(act, say, wantGame, again), () => state.phase !== "lobby");
const again = async (refused) => act("game", (await import("./newgame.js")).rematchOf(state), refused);
const showLobby = lazily(async () => {
  const [{ createLobby }] = await Promise.all([import("./lobby.js"), style("lobby")]);
  return createLobby(act, again);
}, () => state.phase === "lobby" && !watching);
const showWaiting = lazily(async () => (await import("./waiting.js")).createWaiting(), () => state.phase === "lobby" && watching);
const showDoor = lazily(async () => {
  const { showDoor: draw } = await import("./door.js");
  let drawn = "";
  return { show: async () => {
    const now = [state.asks, state.door_open, state.sets_up].join();
    if (now !== drawn) await draw(act).then(() => { drawn = now; }).catch(() => {}); // the next state tries again
  } };
}, () => state.asks || state.door_open || state.sets_up);
const byHand = () => (state.by_hand ?? "no") !== "no" || (state.look ?? 0) > 0;
const showEntry = lazily(async () => {
  const [{ createEntry }] = await Promise.all([import("./entry.js"), style("panels")]);
  return createEntry(act);
}, () => byHand() && !watching);
// Edits on the form reach the table before a press that acts on them.
const buttons = watching ? null : createButtons(async (path, body) => {
  await (await showLobby())?.flush();
  return act(path, body);
}, say);

// What glows may be pressed: of the sensible presses, the buttons here. The form, a question and the end have controls
// of their own, and where people throw real dice the sentence glows in place of ROLL.
function glowing() {
  if (watching || ["lobby", "asking", "over"].includes(state.phase)) return [];
  const byButton = throwsOnPage(state) || (state.by_hand ?? "no") !== "no" || state.rest === "asleep";
  return state.glows.map((name) => (name === "roll" && !byButton ? "message" : name));
}

function showPlayers() {
  const list = byId("players");
  const now = JSON.stringify([state.players, state.to_move, state.winners, state.loser]);
  if (list.dataset.shown === now) return;
  list.dataset.shown = now;
  list.replaceChildren(...state.players.map((player) => {
    const moves = player.name === state.to_move;
    const wins = state.winners.includes(player.name);
    return el("li", { class: `player${player.out ? " out" : ""}${wins ? " wins" : ""}`, "data-color": player.color, "aria-current": moves ? "true" : null },
      mark(player), el("span", { class: "who" }, player.name),
      botSign(player, t("players.bot")),
      player.phones?.length ? el("span", { class: "phone", role: "img", "aria-label": t("players.phone") }) : null,
      player.farkles ? el("span", { class: "dots", role: "img", "aria-label": t("players.farkles", { farkles: player.farkles }) },
        ...Array.from({ length: Math.min(player.farkles, 3) }, () => el("i", { class: "dot on" }))) : null,
      el("span", { class: "score" }, number(player.score)));
  }));
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Says what wins: points, and the hole if the game ends before the end of the track.
function toWin({ target, finish, track }) {
  return finish < track && finish !== target ? t("turn.to_win_in_hole", { target, hole: finish }) : t("turn.to_win", { target });
}

let said = "";

// A screen reader hears each sentence once, when the dice lie still.
function tell(text) {
  if (state.phase === "rolling" || text === said) return;
  said = text;
  byId("said").textContent = text;
}

function showWords() {
  const message = byId("message");
  const { text, told } = state.message;
  if (message.dataset.words !== text) {
    message.dataset.words = text;
    // What has just happened is shown smaller, before what the table waits for.
    const before = told && text.startsWith(told) ? told : "";
    const by = before && state.by ? ` ${t("turn.by", { name: state.by })}` : "";
    message.replaceChildren(before ? el("span", { class: "told" }, ...withDice(before), by) : "", el("span", { class: "asks" }, ...withDice(text.slice(before.length))));
  }
  message.toggleAttribute("data-glows", glowing().includes("message"));
  tell(state.question?.kind === "menu" ? `${text} ${state.message.short}` : text); // with the item that is marked
  document.title = `${state.to_move ? `${state.to_move} · ` : ""}Farkle Crib`;
  byId("title").textContent = [state.title, state.ahead || (state.to_move && state.target ? toWin(state) : "")].filter(Boolean).join(" · ");
  byId("throws").hidden = state.phase === "lobby";
  showFaults(state.degraded ?? []);
  if (!watching) showActs();
}

// Shows the first part that does not work in one line, and all of them in its panel. Changes only what changed, for
// screen readers.
function showFaults(degraded) {
  if ([...byId("degraded").children].map((one) => one.textContent).join() === degraded.join()) return;
  byId("faults").hidden = !degraded.length;
  byId("fault").textContent = degraded[0] ?? "";
  byId("degraded").replaceChildren(...degraded.map((part) => el("li", {}, part)));
}

function showActs() {
  byId("undo").hidden = !state.undo || state.phase === "lobby";
  byId("pause").hidden = state.rest === undefined || state.phase === "lobby";
  byId("new-game").hidden = state.phase === "lobby";
  byId("table-sound").hidden = !state.sound;
  if (state.sound && document.activeElement !== byId("table-volume")) byId("table-volume").value = state.sound.muted ? 0 : state.sound.volume;
}

// Colours the message once for each event: data-last changes only with a new event.
function showLast() {
  const last = JSON.stringify(state.last ?? null);
  if (room.dataset.happened === last) return;
  const first = room.dataset.happened === undefined;
  room.dataset.happened = last;
  if (first || !state.last) return;
  room.dataset.last = "";
  void room.offsetWidth; // restarts the animation
  room.dataset.last = state.last.kind;
}

// The state with the dice that were chosen on this page, until the table has answered.
function withChoice(now) {
  const choice = chosen(now);
  room.toggleAttribute("data-unsent", choice !== null);
  if (!choice) return now;
  return { ...now, unsent: true, chosen: now.selections.find(({ dice }) => String(dice) === String(choice.dice)) ?? null };
}

async function show(next) {
  newest = next;
  state = withChoice(seat ? seat.seen(next) : next);
  const playing = state.phase !== "lobby";
  room.dataset.phase = state.phase;
  room.dataset.final = state.final_round ? "yes" : "";
  room.dataset.hand = state.by_hand ?? "no";
  showPlayers();
  showWords();
  showLast();
  board.show(state);
  byId("tray").hidden = !playing;
  for (const part of ["roll", "risk", "choices", "ending", "entry"]) byId(part)?.toggleAttribute("data-away", !playing);
  buttons?.show(state, glowing());
  await Promise.all([showPlay(), showLobby(), showWaiting(), showEntry(), showDoor()]);
  room.dataset.seq = state.seq;
}

const opened = [byId("more"), byId("faults")];
document.addEventListener("pointerdown", (event) => {
  for (const one of opened) if (!one.contains(event.target)) one.open = false;
});
document.addEventListener("keydown", (event) => {
  const one = event.key === "Escape" && opened.find((each) => each.open);
  if (!one) return;
  one.open = false;
  one.querySelector("summary").focus();
});
byId("more").addEventListener("toggle", async () => (await import("./moments.js")).moments());
byId("rules").addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  (await import("./panel.js")).toggleRules(event.currentTarget ?? byId("rules"));
});

async function showKeys() {
  (await import("./panel.js")).showKeys(state.simulated);
}

function takeKeys(event) {
  const typing = event.target.closest?.("input, select, textarea, .popover, dialog[open]:modal");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "?") showKeys();
  else if (event.key === "p" && !byId("pause").hidden) act("pause");
  else if (event.key === "u" && !byId("undo").hidden) act("undo");
  else if (event.key === "t" && state.simulated) act("simulator/throw", { dice: null });
  else if (/^[1-6]$/.test(event.key) && state.phase === "choosing" && Number(event.key) <= state.roll.length) showPlay().then((play) => play?.choose(Number(event.key) - 1));
  else if (!buttons.key(event.key)) return;
  event.preventDefault();
}

if (!watching) {
  byId("buttons").hidden = false;
  byId("keys").hidden = false;
  byId("keys").addEventListener("click", showKeys);
  byId("table-volume").addEventListener("change", (event) => {
    const volume = Number(event.target.value);
    act("sound", volume ? { volume, muted: false } : { muted: true });
  });
  byId("pause").addEventListener("click", () => act("pause"));
  byId("undo").addEventListener("click", () => act("undo"));
  byId("new-game").addEventListener("click", () => {
    byId("more").open = false;
    wantGame();
  });
  document.addEventListener("keydown", takeKeys);
}

// Asks who this client is: a browser may leave the cookie out of the first request of a page that another one links to.
// Loads the page again, once, if the client may do something else.
async function checkAccess() {
  const { play, phone, here } = await read("access").catch(() => ({ play: !watching }));
  if (play === watching) {
    if (sessionStorage.getItem("access") === String(play)) return;
    sessionStorage.setItem("access", play);
    location.replace(location.href);
    return;
  }
  if (watching && sessionStorage.getItem("access") === "false") say(t("seat.over")); // it has just played
  sessionStorage.removeItem("access");
  seat = phone ? await (await import("./seat.js")).createSeat(room, phone, here) : null;
  if (seat) await show(newest);
  if (!phone || awake || !window.isSecureContext) return;
  awake = true;
  import("./wake.js").then(({ stayAwake }) => stayAwake()).catch(() => {}); // without it the screen may go dark
}

let checked = false;
let awake = false;
follow(state, show);
connect((there, renewed) => {
  const line = byId("line");
  const words = there ? "" : t("connection.lost");
  if (line.textContent !== words) line.textContent = words;
  if (there && (renewed || !checked)) checkAccess();
  checked ||= there;
  room.toggleAttribute("data-lost", !there);
});
