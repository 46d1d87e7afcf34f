// The table's API: the newest state, reads, and writes that name the state they were made for.

import { t } from "./words.js";

const ANSWER_MS = 5000;
const LONG_MS = 60000; // set-up tries devices, and an answer may be worked out first

export class Refused extends Error {
  constructor(words, status = 0) {
    super(words);
    this.status = status; // of the answer, 0 without one
  }
}

// The table did not answer: the write may not have arrived.
export class Silent extends Refused {}

let latest = {}; // the state that was adopted last; a page that shows none names none
let newest = 0; // its version
let adopt = () => {};

// Calls `onState` with every state from now on.
export function follow(first, onState) {
  adopt = onState;
  take(first);
}

// Events and answers may arrive out of order: a state older than the adopted one is dropped.
export function take(state) {
  if (state.version < newest) return;
  newest = state.version;
  latest = state;
  adopt(state);
}

// Whether a view of this version was missed.
export const isNewer = (version) => version > newest;

// Adopts the next state whatever its version: a restarted table counts from the start.
export function forget() {
  newest = 0;
}

// Asks the table. Throws `Silent` with these words if no answer comes in time: a connection may be dead without an error.
async function reach(path, options, ms, words) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ms);
  try {
    const answer = await fetch(`/api/v1/${path}`, { ...options, signal: patience.signal });
    const text = await answer.text();
    return [answer, text];
  } catch {
    throw new Silent(words);
  } finally {
    clearTimeout(timer);
  }
}

// What an answer that is no success says.
const why = (said, status) => (typeof said.detail === "string" ? said.detail : said.title) ?? t("connection.failed", { status });

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

// Reads something other than the state. Throws `Refused` with one sentence if it cannot.
export async function read(path) {
  const [answer, text] = await reach(path, { headers: { Accept: "application/json" } }, LONG_MS, t("connection.silent"));
  const said = parsed(text);
  if (answer.ok) return said;
  throw new Refused(why(said, answer.status), answer.status);
}

// Requests to simulated hands, and of phones about themselves, are not acts of the game, so they name no state.
const isAct = (path) => !/^(simulator|pairing|phones|seat|camera|set-up)/.test(path);
const isLong = (path) => path.startsWith("set-up");

// Sends a write and adopts the answer's state. Throws `Refused` with one sentence if the write was refused.
export async function write(path, body = {}, method = "POST") {
  const sent = JSON.stringify(isAct(path) ? { ...body, expected_seq: latest.seq } : body);
  const options = { method, headers: { "Content-Type": "application/json" }, body: sent };
  const [answer, text] = await reach(path, options, isLong(path) ? LONG_MS : ANSWER_MS, t("connection.unanswered"));
  const said = parsed(text);
  const state = said.phase ? said : null;
  if (state) take(state);
  if (answer.ok) return state;
  throw new Refused(why(said, answer.status), answer.status);
}
