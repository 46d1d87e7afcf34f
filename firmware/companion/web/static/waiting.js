// What who watches sees before a game: the rules that are chosen and who will play.

import { byId, el } from "./dom.js";

export function createWaiting() {
  function show({ phase, lobby }) {
    byId("waiting").hidden = phase !== "lobby";
    byId("waiting-rules").textContent = lobby.title;
    byId("waiting-names").replaceChildren(...(lobby.called ?? []).map((name) => el("li", {}, name)));
  }
  return { show };
}
