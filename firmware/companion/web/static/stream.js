// The stream of states. The table speaks every two seconds; a page that hears nothing opens new streams, lets a worker
// ask beside them, and says so.

import { forget, isNewer, take } from "./api.js";

const QUIET_MS = 2500; // until another stream is opened
const TRY_MS = 2000; // until an attempt is given up
const LOST_MS = QUIET_MS + TRY_MS;
const AT_ONCE_MS = 200; // such events come together

// The table ends the old stream of this page.
const PAGE = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");

// Calls `onLine` with whether the table answers, and whether a new stream was needed.
export function connect(onLine) {
  const asker = new Worker(new URL("./asker.js", import.meta.url), { name: document.documentElement.lang }); // now, because it cannot be loaded without a connection
  let source = null;
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

  asker.onmessage = ({ data }) => {
    if (source.readyState === EventSource.OPEN) return; // the stream tells it
    if (data === null) onLine(false, false);
    else {
      answered();
      take(JSON.parse(data));
    }
  };

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
    const mine = source = new EventSource(`/api/v1/events?page=${PAGE}&lang=${document.documentElement.lang}`);
    let spoke = false;

    function hear() {
      spoke = true;
      asker.postMessage(false);
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
      if (!spoke) asker.postMessage(true); // refused: perhaps the table takes no more streams
      else if (Date.now() - began > TRY_MS) listen(); // else the timer does
    };
    if (!renewed) return;
    forget();
    asker.postMessage(true);
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
