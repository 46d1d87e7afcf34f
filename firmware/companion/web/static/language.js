// The language of the pages: the browser's, or the one that its user has chosen in the menu. The choice stays in this browser.

(() => {
  const STORED = "language";
  const shown = document.documentElement.lang;
  let chosen = "";
  try { chosen = localStorage.getItem(STORED) ?? ""; } catch { /* a browser without storage */ }

  function inLanguage(address, code) {
    const url = new URL(address, location.href);
    if (code) url.searchParams.set("lang", code);
    else url.searchParams.delete("lang");
    return url.href;
  }

  const asked = new URLSearchParams(location.search).get("lang");
  if (chosen && chosen !== shown && asked === null) location.replace(inLanguage(location.href, chosen));

  // Everything that the scripts of this page ask for comes in its language.
  const plainFetch = window.fetch.bind(window);
  window.fetch = (what, options = {}) => plainFetch(what, { ...options, headers: { "Accept-Language": shown, ...options.headers } });

  addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href]");
    if ((chosen || asked) && link?.origin === location.origin && !link.search.includes("lang=")) link.href = inLanguage(link.href, shown);
  }, true);

  function choose({ target: { value } }) {
    try {
      if (value) localStorage.setItem(STORED, value);
      else localStorage.removeItem(STORED);
    } catch { /* this page alone changes then */ }
    location.replace(inLanguage(location.href, value));
  }

  addEventListener("DOMContentLoaded", () => {
    const label = document.getElementById("languages");
    if (!label) return;
    const select = document.createElement("select");
    select.append(new Option(label.dataset.browser, ""));
    for (const { hreflang, title } of document.querySelectorAll("link[hreflang]")) select.append(Object.assign(new Option(title, hreflang), { lang: hreflang }));
    select.value = chosen || (asked === null ? "" : shown);
    select.addEventListener("change", choose);
    label.append(" ", select);
    label.hidden = false;
  });
})();
