// The best turn of the game at the table: who made it, its points, and the dice that were kept.

import { die, el } from "./dom.js";
import { t } from "./words.js";

// Returns null if no turn was banked, or the table does not answer.
export async function bestTurn() {
  const [best] = await fetch("/api/v1/games/now/best").then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  if (!best) return null;
  const throws = best.kept.map((dice) => el("span", { class: "dice" }, ...dice.map((face) => die(face))));
  return el("p", { class: "best" }, t("ending.best", best), " ", ...throws);
}
