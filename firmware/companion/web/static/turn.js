// The turn: the roll, the selections, the points at risk, what banking brings, the question, the end.

import { COUNTS, FACES, byId, die, el, mark, plural, spoken } from "./dom.js";
import { draggable } from "./drag.js";
import { canShelve, chosenDice, matched, same, setAside } from "./roll.js";

export function createTurn(act, fix, newGame) {
  const [roll, risk, choices, selections] = ["roll", "risk", "choices", "selections"].map(byId);
  const [question, answers, ending, shelf] = ["question", "answers", "ending", "shelf"].map(byId);
  let before = "";

  function drawRoll(state) {
    const dice = state.phase === "rolling" ? [] : state.roll;
    const aside = setAside(state);
    const chosen = matched(dice, chosenDice(state));
    const focused = [...roll.children].indexOf(document.activeElement);
    roll.replaceChildren(...dice.map((face, place) => {
      const words = aside[place] ? ", set aside" : chosen[place] ? ", chosen" : "";
      const one = el("button", {
        type: "button", class: `rolled${aside[place] ? " aside" : ""}${chosen[place] ? " chosen" : ""}`,
        "aria-label": `${FACES[face]}${words}`,
      }, die(face));
      draggable(one, {
        face, shelf, can: () => canShelve(state) && !aside[place],
        onDrop: () => act("simulator/shelve", { dice: [place] }), onTap: () => fix.open(one, place, state),
      });
      return one;
    }));
    if (state.phase === "rolling") roll.append(...Array.from({ length: state.dice_to_throw ?? 0 }, () => el("span", { class: "tumbling", "aria-hidden": "true" })));
    if (focused >= 0) roll.children[focused]?.focus();
  }

  function entry(name, ...value) {
    return el("div", {}, el("dt", {}, name), el("dd", {}, ...value));
  }

  function drawRisk(state) {
    const player = state.players.find((one) => one.name === state.to_move);
    risk.hidden = !player || state.phase === "over";
    if (risk.hidden) return;
    const atRisk = state.turn_points + (state.chosen?.points ?? 0);
    const entries = [entry("At risk", el("b", {}, String(atRisk)))];
    if (state.bank && state.legal.includes("bank")) {
      const brings = state.turn_points + state.bank.points;
      const total = player.score + brings;
      const hole = state.bank_hole;
      const where = hole === null || hole === total ? "" : `, hole ${hole}`;
      entries.push(entry("BANK brings", `${player.score} + ${brings} = `, el("b", {}, hole === total ? `hole ${hole}` : String(total)), where));
    } else {
      entries.push(entry("To throw", el("b", {}, COUNTS[state.dice_to_throw] ?? "")));
    }
    const limit = state.farkle_limit ?? 0;
    if (limit) {
      const dots = Array.from({ length: Math.max(limit, player.farkles) }, (_, number) => el("i", { class: number < player.farkles ? "dot on" : "dot" }));
      const words = `${player.farkles} of ${limit}`;
      entries.push(entry("Farkles in a row", el("span", { class: "dots", role: "img", "aria-label": words }, ...dots)));
    }
    risk.replaceChildren(...entries);
  }

  function drawSelections(state) {
    choices.hidden = state.phase !== "choosing" || state.selections.length === 0;
    const chosen = chosenDice(state);
    const focused = [...selections.children].findIndex((one) => one.contains(document.activeElement));
    selections.replaceChildren(...state.selections.map((each, number) => {
      const all = each.dice.length === state.roll.length;
      const note = number === 0 ? (all ? "all count, roll on" : "best") : all ? "all count" : "";
      return el("li", {}, el("button", {
        type: "button", class: "selection", "aria-pressed": String(same(each.dice, chosen)),
        "aria-label": `Keep ${spoken(each.dice)}: ${plural(each.points, "point")}${note ? `, ${note}` : ""}`,
        onclick: () => act("keep", { dice: each.dice }),
      }, el("span", { class: "dice" }, ...each.dice.map((face) => die(face))), note ? el("span", { class: "note" }, note) : null, el("b", {}, `+${each.points}`)));
    }));
    if (focused >= 0) selections.children[focused]?.firstElementChild.focus();
  }

  function drawQuestion(state) {
    const asked = state.phase === "asking" && state.question;
    if (!asked) {
      if (question.open) question.close();
      return;
    }
    byId("question-text").textContent = asked.text;
    // KEEP gives the first answer of a question and ROLL the second. In a menu ROLL moves on and BANK takes the marked item.
    const menu = asked.place ?? null;
    const focused = [...answers.children].indexOf(document.activeElement);
    const keyOf = (number) => {
      if (number === (menu ?? asked.bank)) return "B";
      return menu === null && number < 2 && asked.answers.length > 1 ? "KR"[number] : null;
    };
    answers.classList.toggle("menu", menu !== null);
    answers.replaceChildren(...asked.answers.map((answer, number) =>
      el("button", { type: "button", class: number === (menu ?? 0) ? "solid" : "plain", "aria-current": number === menu ? "true" : null, onclick: () => act("answer", { answer }) },
        String(answer), keyOf(number) ? el("kbd", { "aria-hidden": "true" }, keyOf(number)) : null)));
    if (focused >= 0) answers.children[focused]?.focus();
    if (!question.open) question.show();
  }

  function drawEnding(state) {
    ending.hidden = state.phase !== "over";
    if (ending.hidden) return;
    const places = [...state.players].sort((a, b) => a.place - b.place);
    const rematch = {
      rules: state.rules, settings: state.settings ?? {}, track: state.track, players: state.players.map((player) => player.name),
      ...(Object.keys(state.teams ?? {}).length ? { teams: state.teams } : {}),
    };
    ending.replaceChildren(
      el("h2", {}, state.winners.length > 1 ? "A shared win" : "The game is over"),
      el("ol", { class: "places" }, ...places.map((player) => el("li", { class: player.place === 1 ? "winner" : null },
        mark(player), el("span", { class: "who" }, player.name), el("b", {}, String(player.score)), el("span", { class: "hole" }, `hole ${player.hole}`)))),
      el("div", { class: "answers" },
        el("button", { type: "button", class: "solid", id: "rematch", onclick: () => act("game", rematch) }, "Rematch"),
        el("button", { type: "button", class: "plain", onclick: newGame }, "Other players or rules"),
        el("a", { class: "plain", href: "/games/now" }, "Best turns, every throw")));
    drawRace();
  }

  // The table draws the race, as on the game's own page; if it is missing, the places still show.
  async function drawRace() {
    const answer = await fetch("/games/now/race.svg").catch(() => null);
    if (!answer?.ok || ending.hidden) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    if (drawn.nodeName !== "svg") return;
    ending.querySelector(".race")?.remove();
    ending.append(document.adoptNode(drawn));
  }

  function show(state) {
    const { reading: _reading, ...rest } = state;
    const now = JSON.stringify(rest);
    if (now === before) return;
    before = now;
    drawRoll(state);
    drawRisk(state);
    drawSelections(state);
    drawQuestion(state);
    drawEnding(state);
  }
  return { show };
}
