// The first script of every page: loads the page again if a script or a style of it did not load. It waits longer each
// time, asks first whether the table answers, and forgets its tries once a page has been whole for a while.

(() => {
  if (window.heals) return; // the page names this script twice, in case that it did not load itself
  window.heals = true;
  const LONGEST_S = 60;
  const LATE_MS = 30000;
  const WELL_MS = 10000;
  let tries = 3; // in a browser without storage
  let ill = false;
  try { tries = Number(sessionStorage.getItem("tries")); } catch { /* no storage */ }

  function remember(count) {
    tries = count;
    try { sessionStorage.setItem("tries", count); } catch { /* no storage */ }
  }

  function plan() {
    const seconds = Math.min(LONGEST_S, 2 ** tries) * (0.5 + Math.random() / 2);
    remember(tries + 1);
    setTimeout(attempt, seconds * 1000);
  }

  async function attempt() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) location.reload();
    else plan();
  }

  function again() {
    if (!ill) plan();
    ill = true;
  }

  const isPart = (one) => one.tagName === "SCRIPT" || /^(stylesheet|modulepreload)$/.test(one.rel ?? "");
  addEventListener("error", ({ target }) => { if (target !== window && isPart(target)) again(); }, true);
  const late = setTimeout(again, LATE_MS);
  addEventListener("load", () => {
    clearTimeout(late);
    const files = performance.getEntriesByType("resource").filter((one) => one.name.includes("/static/"));
    if (files.some((one) => one.responseStatus >= 400)) again(); // failed before this script ran
    setTimeout(() => { if (!ill) remember(0); }, WELL_MS);
  });
})();
