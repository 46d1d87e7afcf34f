// The table's API: the newest state, reads, and writes one after the other, which name the state they were made for.

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
  const same = JSON.stringify(state) === JSON.stringify(latest);
  latest = state;
  if (!same) adopt(state); // a button that is drawn anew under a finger loses its press
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

const waiting = []; // writes that are not sent yet, each with the act that its maker has seen
let sending = null;

// Sends a write after those before it, and adopts the answer's state. Throws `Refused` with one sentence if it was refused,
// also if another act came after the one that its maker had seen.
export function write(path, body = {}, method = "POST") {
  return queue({ path, body, method, seen: latest.seq });
}

// Sends a choice: only the newest, and again where another act came first. `holds` says whether a state allows it.
export function choose(path, body, holds) {
  const last = waiting.at(-1);
  if (last?.path !== path || !last.holds) return queue({ path, body, method: "POST", seen: latest.seq, holds });
  Object.assign(last, { body, holds });
  adopt(latest); // shows it at once
  return last.answered;
}

// The newest choice that the table has not answered yet, if it can be made in this state.
export function chosen(state) {
  const choice = [sending, ...waiting].filter((one) => one?.holds).at(-1);
  return choice?.holds(state) ? choice.body : null;
}

function queue(one) {
  one.answered = new Promise((done, failed) => Object.assign(one, { done, failed }));
  waiting.push(one);
  if (!sending) work();
  if (one.holds) adopt(latest);
  return one.answered;
}

async function work() {
  while ((sending = waiting.shift())) {
    const { done, failed, holds } = sending;
    await send(sending).then(done, (error) => {
      failed(error);
      if (holds || error instanceof Silent) for (const other of waiting.splice(0)) other.failed(error); // they counted on it
    });
  }
}

async function send(one) {
  const { path, body, method, holds } = one;
  try {
    for (;;) {
      const { seen } = one;
      const options = { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(isAct(path) ? { ...body, expected_seq: seen } : body) };
      const [answer, text] = await reach(path, options, isLong(path) ? LONG_MS : ANSWER_MS, t("connection.unanswered"));
      const said = parsed(text);
      const state = said.phase ? said : null;
      if (answer.ok) {
        // What was done here after it counts with it; but no press answers a question that came meanwhile.
        if (state && state.phase !== "asking") for (const other of waiting) if (other.seen === seen) other.seen = Math.min(state.seq, seen + 1);
        one.holds = null;
        if (state) take(state);
        return state;
      }
      if (state) take(state);
      if (answer.status !== 409 || latest.seq === seen || !holds?.(latest)) throw new Refused(why(said, answer.status), answer.status);
      one.seen = latest.seq;
    }
  } finally {
    if (holds) {
      one.holds = null;
      adopt(latest); // without the choice of this page
    }
  }
}
