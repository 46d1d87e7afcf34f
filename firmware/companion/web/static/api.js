// The table's API: receives states, and sends writes that name the state they were made for.

import { t } from "./words.js";

const POLL_MS = 2000;

export class Refused extends Error {
  constructor(words, status = 0) {
    super(words);
    this.status = status; // of the answer, 0 without one
  }
}

// The table did not answer: the write may not have arrived.
export class Silent extends Refused {}

let seq = 0;
let newest = 0; // the version of the state that was adopted last
let adopt = () => {};
let source = null;

// Events and answers may arrive out of order: a state older than the adopted one is dropped.
function take(state) {
  if (state.version < newest) return;
  newest = state.version;
  seq = state.seq;
  adopt(state);
}

// Calls `onState` with every state, and `onLine` with whether the table answers and whether it was away before.
// The event stream reconnects by itself; until it does, the state is polled.
export function connect(first, onState, onLine) {
  adopt = onState;
  take(first);
  let polling = null;
  let away = false;

  function answered() {
    onLine(true, away);
    away = false;
  }

  async function poll() {
    try {
      const answer = await fetch("/api/v1/state", { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.json());
      answered();
      if (source.readyState === EventSource.CLOSED) listen();
    } catch {
      onLine(false, away);
    }
  }

  function listen() {
    source = new EventSource("/api/v1/events");
    source.onopen = () => {
      answered();
      clearInterval(polling);
      polling = null;
    };
    source.onmessage = (event) => take(JSON.parse(event.data));
    source.onerror = () => {
      away = true;
      newest = 0; // a restarted table counts from the start
      if (polling === null) {
        polling = setInterval(poll, POLL_MS);
        poll();
      }
    };
  }
  listen();
}

// Reads something other than the state. Throws `Refused` with one sentence if it cannot.
export async function read(path) {
  const answer = await fetch(`/api/v1/${path}`, { headers: { Accept: "application/json" } }).catch(() => {
    throw new Refused(t("connection.silent"));
  });
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) return said;
  throw new Refused(typeof said.detail === "string" ? said.detail : t("connection.failed", { status: answer.status }));
}

// Requests to simulated hands, and of phones about themselves, are not acts of the game, so they name no state.
const isAct = (path) => !/^(simulator|pairing|phones|seat|camera|set-up)/.test(path);

// Sends a write and adopts the answer's state. Throws `Refused` with one sentence if the write was refused.
export async function write(path, body = {}, method = "POST") {
  let answer;
  try {
    answer = await fetch(`/api/v1/${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(isAct(path) ? { ...body, expected_seq: seq } : body),
    });
  } catch {
    throw new Silent(t("connection.silent"));
  }
  const said = await answer.json().catch(() => ({}));
  const state = said.phase ? said : null;
  if (state) take(state);
  if (answer.ok) return state;
  const detail = typeof said.detail === "string" ? said.detail : said.title;
  throw new Refused(detail ?? t("connection.failed", { status: answer.status }), answer.status);
}
