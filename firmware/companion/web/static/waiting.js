// What who watches sees before a game: the rules that are chosen, who will play, and the evening so far.

import { byId, el } from "./dom.js";
import { t } from "./words.js";

// The standing of the evening so far, such as "Mia 2, Tom 1", on its link.
async function showEvening() {
  const { text } = await fetch("/api/v1/standing").then((answer) => answer.json()).catch(() => ({}));
  if (text) byId("waiting-evening").textContent = `${t("ending.standing")}: ${text}`;
}

export function createWaiting() {
  const card = el("iframe", { title: t("panel.card") });
  byId("waiting").append(card);
  showEvening();
  function show({ phase, lobby }) {
    byId("waiting").hidden = phase !== "lobby";
    const rules = `/rules/${encodeURIComponent(lobby.rules)}`;
    if (card.getAttribute("src") !== rules) card.src = rules;
    byId("waiting-rules").textContent = lobby.title;
    byId("waiting-names").replaceChildren(...(lobby.called ?? []).map((name) => el("li", {}, name)));
  }
  return { show };
}
