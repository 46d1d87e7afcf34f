// The stream of states. The table speaks every two seconds; a page that hears nothing opens new streams, and says so. At
// times it asks without its cookie: Chromium has six more connections for that, and waits long for lost ones.

import { forget, isNewer, take } from "./api.js";

const QUIET_MS = 2500; // until another stream is opened
const TRY_MS = 2000; // until an attempt is given up
const LOST_MS = QUIET_MS + TRY_MS;
const ASK_FIRST = 2; // attempts with a question: idle connections may be dead, too
const ASK_EACH = 5; // later ones
const AT_ONCE_MS = 200; // such events come together

// The table ends the old stream of this page.
const PAGE = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");

// Calls `onLine` with whether the table answers, and whether a new stream was needed.
export function connect(onLine) {
  let source = null;
  let question = null; // beside the stream
  let works = ""; // how the last question was asked, if it was answered
  let tries = 0; // attempts since the stream last spoke
  let timer = null;
  let silence = null;
  let began = 0;
  let heard = Date.now(); // the page itself has just come
  let renewed = false;

  function answered() {
    heard = Date.now();
    clearTimeout(silence);
    silence = setTimeout(() => tell(LOST_MS + TRY_MS), LOST_MS);
    onLine(true, renewed);
    renewed = false;
  }

  // A page that slept until now, and heard nothing for longer than `most`, tries first.
  function tell(most = Infinity) {
    const silent = Date.now() - heard;
    if (silent >= LOST_MS - AT_ONCE_MS && silent < most) onLine(false, false);
  }

  async function ask(credentials = "same-origin") {
    question?.abort();
    question = new AbortController();
    works = "";
    const { signal } = question;
    try {
      const answer = await fetch("/api/v1/state", { headers: { Accept: "application/json" }, credentials, signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      works = credentials;
      answered();
      take(state);
    } catch {
      if (!signal.aborted) onLine(false, false);
    }
  }

  function giveUp() {
    tell();
    listen();
  }

  function listen() {
    source?.close();
    clearTimeout(timer);
    timer = setTimeout(giveUp, TRY_MS);
    began = Date.now();
    renewed = source !== null;
    const mine = source = new EventSource(`/api/v1/events?page=${PAGE}`);
    let spoke = false;

    function hear() {
      spoke = true;
      tries = 0;
      works = "";
      question?.abort();
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
      if (!spoke) ask(); // refused: perhaps the table takes no more streams
      else if (Date.now() - began > TRY_MS) listen(); // else the timer does
    };
    if (!renewed) return;
    forget();
    tries += 1;
    if (works || tries <= ASK_FIRST) ask(works || "same-origin");
    else if (tries % ASK_EACH === 0) ask("omit");
  }

  // A page that was hidden, or whose network was away, may have missed anything.
  function wake() {
    if (!document.hidden && Math.abs(Date.now() - began) > AT_ONCE_MS) listen();
  }
  document.addEventListener("visibilitychange", wake);
  for (const shown of ["focus", "online"]) addEventListener(shown, wake);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
  listen();
}
