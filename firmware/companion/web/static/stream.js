// The stream of states, which is never stale in silence: the table says something every two seconds. A page that hears
// nothing opens a new stream, asks for the state beside it, and says so if neither answers.

import { forget, isNewer, take } from "./api.js";

const QUIET_MS = 2500; // without a message until another stream is opened
const TRY_MS = 2000; // until an attempt is given up
const LOST_MS = QUIET_MS + TRY_MS;
const AT_ONCE_MS = 200; // events that say that the page is shown again come together

// What this page calls itself: the table ends its old stream when it opens a new one.
const PAGE = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");

// Calls `onLine` with whether the table answers, and whether a new stream was needed.
export function connect(onLine) {
  let source = null;
  let question = null; // beside the stream of an attempt
  let timer = null;
  let began = 0;
  let heard = Date.now(); // the page itself has just come
  let renewed = false;

  function answered() {
    heard = Date.now();
    onLine(true, renewed);
    renewed = false;
  }

  async function ask({ signal }) {
    try {
      const answer = await fetch("/api/v1/state", { headers: { Accept: "application/json" }, signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      if (signal.aborted) return;
      take(state);
      answered();
    } catch {
      if (!signal.aborted) onLine(false, false);
    }
  }

  function giveUp() {
    if (Date.now() - heard >= LOST_MS - AT_ONCE_MS) onLine(false, false);
    listen();
  }

  function listen() {
    source?.close();
    question?.abort();
    clearTimeout(timer);
    timer = setTimeout(giveUp, TRY_MS);
    began = Date.now();
    renewed = source !== null;
    const mine = source = new EventSource(`/api/v1/events?page=${PAGE}`);
    let spoke = false;

    function hear() {
      spoke = true;
      clearTimeout(timer);
      timer = setTimeout(listen, QUIET_MS);
      answered();
    }
    mine.onmessage = ({ data }) => {
      hear();
      take(JSON.parse(data));
    };
    mine.addEventListener("ping", ({ data }) => {
      hear();
      if (isNewer(JSON.parse(data).version)) listen(); // a view was missed
    });
    mine.onerror = () => {
      mine.close();
      if (spoke && Date.now() - began > TRY_MS) listen(); // else the timer does, so that no attempt follows another at once
    };
    if (!renewed) return;
    forget();
    question = new AbortController();
    ask(question);
  }

  // A page that was hidden, asleep or in the cache for Back, or whose network was away, may have missed anything.
  function wake() {
    if (!document.hidden && Math.abs(Date.now() - began) > AT_ONCE_MS) listen();
  }
  document.addEventListener("visibilitychange", wake);
  for (const shown of ["focus", "online"]) addEventListener(shown, wake);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
  listen();
}
