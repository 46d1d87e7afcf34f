// The turn: the roll, the selections, the points at risk, what banking brings, the question, the end.

import { byId, die, el, mark, style, watching } from "./dom.js";
import { fate, wins } from "./fate.js";
import { chosenDice, doubtfulPlaces, keptPlaces, same, setAside } from "./roll.js";
import { capital, listed, number, parts, spoken, t } from "./words.js";

// Who begins a rematch, with the words of each choice.
const BEGINS = { seat: "ending.begins_seat", loser: "ending.begins_loser", winner: "ending.begins_winner" };

// `correct(place, node)` opens the correction of a die. Who may only watch sees the same without anything to press.
export function createTurn(act, correct, newGame, again) {
  const [roll, risk, choices, selections] = ["roll", "risk", "choices", "selections"].map(byId);
  const [question, answers, ending] = ["question", "answers", "ending"].map(byId);
  let before = "";

  // The dice of the throw, or of the throw that a question is about, then those kept earlier in the turn. Each die is one
  // stop for the keyboard; its pencil is for the pointer.
  function drawRoll(state) {
    const asked = state.phase === "asking" ? state.question?.faces ?? [] : [];
    const away = ["rolling", "over"].includes(state.phase) || (state.phase === "asking" && state.question?.kind === "menu");
    const dice = away ? [] : asked.length ? asked : state.roll;
    const choosing = state.phase === "choosing";
    const aside = setAside(state);
    const kept = choosing ? keptPlaces(state) : [];
    const doubtful = asked.length ? [] : doubtfulPlaces(state);
    const focused = [...roll.children].findIndex((cell) => cell.contains(document.activeElement));
    const cells = dice.map((face, place) => {
      if (asked.length) {
        const meant = place === state.question.die;
        return el("span", { class: `rolled${meant ? " asked" : ""}` }, die(face, meant ? t("die.asked", { face }) : spoken([face])));
      }
      const words = aside[place] ? t("die.on_shelf", { face }) : kept[place] ? t("die.kept", { face }) : spoken([face]);
      const looks = `rolled${aside[place] ? " aside" : ""}${kept[place] ? " chosen" : ""}${doubtful.includes(place) ? " doubtful" : ""}`;
      if (watching) return el("span", { class: looks, role: "img", "aria-label": words, "data-face": face }, die(face));
      const one = el("button", {
        type: "button", class: looks, "data-place": place, "data-face": face,
        "aria-label": words, "aria-pressed": choosing ? String(Boolean(kept[place])) : null, "aria-keyshortcuts": "e",
      }, die(face));
      const pencil = el("button", { type: "button", class: "pencil", tabindex: -1, "aria-label": t("die.correct", { face }), onclick: () => correct(place, one) }, "✎");
      return el("span", { class: "cell" }, one, pencil);
    });
    // Dice that are still to be thrown, or roll now, are empty places.
    const coming = state.phase === "rolling" ? "tumbling" : "slot";
    const awaited = ["rolling", "to_throw"].includes(state.phase) && !cells.length ? state.dice_to_throw ?? 0 : 0;
    roll.replaceChildren(...cells, ...Array.from({ length: awaited }, () => el("span", { class: coming, "aria-hidden": "true" })),
      ...(["asking", "over"].includes(state.phase) ? [] : state.locked.map((face) => el("span", { class: "locked", role: "img", "aria-label": t("die.kept", { face }) }, die(face)))));
    if (focused >= 0) roll.children[focused]?.querySelector("button")?.focus();
  }
  roll.addEventListener("keydown", (event) => {
    const one = event.target.closest(".rolled");
    if (event.key.toLowerCase() === "e" && one) correct(Number(one.dataset.place), one);
  });

  function entry(name, ...value) {
    return el("div", {}, el("dt", {}, name), el("dd", {}, ...value));
  }

  function drawRisk(state) {
    const player = state.players.find((one) => one.name === state.to_move);
    risk.hidden = !player || state.phase === "over";
    if (risk.hidden) return;
    const atRisk = state.turn_points + (state.chosen?.points ?? 0);
    const entries = [entry(t("turn.at_risk"), el("b", {}, number(atRisk)))];
    if (state.bank && state.legal.includes("bank")) {
      const brings = state.turn_points + state.bank.points;
      const total = player.score + brings;
      const hole = state.bank_hole;
      const sum = { score: player.score, brings, total: el("b", {}, hole === total ? t("turn.hole", { hole }) : number(total)) };
      const inHole = hole !== null && hole !== total;
      entries.push(entry(t("turn.bank_brings"), el("span", { class: "sum" }, ...(inHole ? parts("turn.total_in_hole", { ...sum, hole }) : parts("turn.total", sum)))));
      entries.at(-1).dataset.short = inHole ? t("turn.short_total", { total, hole }) : sum.total.textContent;
    } else {
      entries.push(entry(t("turn.to_throw"), el("b", {}, t("turn.dice", { dice: state.dice_to_throw }))));
    }
    const { target, finish } = state;
    if (target && finish < state.track) entries.push(entry(t("turn.win"), finish === target ? number(target) : t("turn.win_in_hole", { target, hole: finish })));
    const limit = state.farkle_limit ?? 0;
    if (limit) {
      const dots = Array.from({ length: Math.max(limit, player.farkles) }, (_, number) => el("i", { class: number < player.farkles ? "dot on" : "dot" }));
      const words = t("turn.of_limit", { farkles: player.farkles, limit });
      entries.push(entry(t("turn.farkles"), el("span", { class: "dots", role: "img", "aria-label": words }, ...dots)));
    }
    risk.replaceChildren(...entries);
    fitRisk();
  }

  // Without room for the sum only its total is shown; without room for that, in large text, the line wraps.
  function fitRisk() {
    const isLong = () => risk.scrollWidth > risk.clientWidth + 1;
    risk.classList.remove("wraps");
    const sum = isLong() && risk.querySelector("[data-short]");
    if (sum) sum.querySelector(".sum").replaceChildren(el("b", {}, sum.dataset.short));
    risk.classList.toggle("wraps", isLong());
  }

  // Hides the choices that do not fit behind a button, which opens the list over the turn. If not even one fits, as in
  // large text, all are shown and the page scrolls.
  const open = { type: "button", onclick: () => { choices.classList.add("open"); fit(); } };
  const more = el("li", { class: "others", hidden: true }, el(watching ? "div" : "button", { class: "selection", ...(watching ? {} : open) }));
  function fit() {
    const shown = [...selections.children].filter((one) => one !== more);
    for (const one of shown) one.hidden = false;
    more.hidden = true;
    choices.classList.remove("whole");
    if (choices.hidden || choices.classList.contains("open")) return;
    const overflows = () => selections.scrollHeight > selections.clientHeight + 1;
    for (let last = shown.length; last > 1 && overflows(); last -= 1) {
      shown[last - 1].hidden = true;
      more.hidden = false;
      more.firstChild.textContent = t("turn.more", { count: shown.length - last + 1 });
    }
    if (!overflows()) return;
    choices.classList.add("whole");
    more.hidden = true;
    for (const one of shown) one.hidden = false;
  }
  new ResizeObserver(fit).observe(choices);
  new ResizeObserver(fitRisk).observe(risk);

  function drawSelections(state) {
    choices.hidden = state.phase !== "choosing" || state.selections.length === 0 || Boolean(state.bot);
    choices.classList.remove("open");
    const chosen = chosenDice(state);
    const focused = [...selections.children].findIndex((one) => one.contains(document.activeElement));
    selections.replaceChildren(...state.selections.map((each, rank) => {
      const all = each.dice.length === state.roll.length;
      const note = listed([rank === 0 ? t("turn.best") : "", all ? t("turn.all_count") : ""].filter(Boolean));
      const why = each.why ?? "";
      const keep = t("turn.keep", { dice: spoken(each.dice), points: each.points });
      const inner = [el("span", { class: "dice" }, ...each.dice.map((face) => die(face))),
        el("span", { class: "why" }, note ? el("b", {}, note) : null, note && why ? " " : null, why), el("b", { class: "points" }, `+${number(each.points)}`)];
      if (watching) return el("li", {}, el("div", { class: "selection" }, ...inner));
      return el("li", {}, el("button", {
        type: "button", class: "selection", "aria-pressed": String(same(each.dice, chosen)),
        "aria-label": listed([keep, why, note].filter(Boolean)),
        onclick: () => act("keep", { dice: same(each.dice, chosen) ? [] : each.dice }),
      }, ...inner));
    }), more);
    fit();
    if (focused >= 0) selections.children[focused]?.firstElementChild.focus();
  }

  async function askName(asked) {
    await style("panels");
    const name = el("input", { type: "text", id: "joining", maxlength: 20, autocomplete: "off", required: true });
    const back = () => { answers.replaceChildren(); drawQuestion({ phase: "asking", question: asked }); };
    const join = async (event) => {
      event.preventDefault();
      if (await act("join", { name: name.value })) answers.replaceChildren();
    };
    answers.replaceChildren(el("form", { class: "joining", onsubmit: join }, el("label", { for: "joining" }, t("joining.who")), name,
      el("button", { type: "submit", class: "solid", "data-glows": true }, t("joining.join")), el("button", { type: "button", class: "plain", onclick: back }, t("joining.back"))));
    name.focus();
  }

  function drawQuestion(state) {
    const asked = state.phase === "asking" && state.question;
    if (!asked) {
      if (question.open) question.close();
      return;
    }
    byId("question-text").textContent = asked.text;
    if (!question.open) question.show();
    if (watching) return;
    // KEEP gives the first answer of a question and ROLL the second. In a menu ROLL moves on and BANK takes the marked item.
    const menu = asked.place ?? null;
    const focused = [...answers.children].indexOf(document.activeElement);
    const keyOf = (number) => {
      if (number === (menu ?? asked.bank)) return "B";
      return menu === null && number < 2 && asked.answers.length > 1 ? "KR"[number] : null;
    };
    const glows = (number) => menu === null || number === asked.next; // answers glow alike: none is advised
    // The form for the name of a player who joins; it stays as long as the menu is open.
    const naming = answers.querySelector("form") !== null && asked.keys.includes("join");
    if (naming) return;
    const take = (key) => (key === "join" ? askName(asked) : act("answer", { answer: key }));
    answers.classList.toggle("menu", menu !== null);
    answers.replaceChildren(...asked.answers.map((answer, number) =>
      el("button", { type: "button", class: glows(number) ? "solid" : "plain", "data-glows": glows(number), "aria-current": number === menu ? "true" : null, onclick: () => take(asked.keys[number]) },
        capital(answer), keyOf(number) ? el("kbd", { "aria-hidden": "true" }, keyOf(number)) : null)));
    if (focused >= 0) answers.children[focused]?.focus();
  }

  function drawEnding(state) {
    ending.hidden = state.phase !== "over";
    if (ending.hidden) return;
    const places = [...state.players].sort((a, b) => a.place - b.place);
    const won = state.winners.length ? t("ending.won", { names: state.winners }) : t("ending.over");
    const heading = state.loser ? t("ending.lost", { name: state.loser }) : won;
    const focused = ending.contains(document.activeElement) ? document.activeElement.id : "";
    const { tournament } = state;
    const acts = watching ? [] : [
      tournament?.may_begin
        ? el("button", { type: "button", class: "solid", id: "rematch", "data-glows": true, onclick: () => act("tournament/next") }, tournament.next.replace(/\.$/, ""))
        : el("button", { type: "button", class: "solid", id: "rematch", "data-glows": true, onclick: () => again() }, t("ending.again")),
      tournament?.may_begin ? "" : el("button", { type: "button", class: "plain", id: "other-game", onclick: newGame }, t("ending.other_game"))];
    const begins = watching || state.players.length < 2 ? [] : [
      el("select", { class: "plain", id: "begins", "aria-label": t("ending.begins"), onchange: () => act("rematch", { begins: byId("begins").value }) },
        ...Object.entries(BEGINS).map(([who, words]) => el("option", { value: who, selected: who === state.begins }, t(words))))];
    ending.replaceChildren(
      el("h2", { class: "won" }, heading),
      el("div", { class: "result" }, el("ol", { class: "places", id: "places", tabindex: 0 }, ...places.map((player) => el("li", { class: player.place === 1 ? "winner" : null },
        mark(player), el("span", { class: "who" }, player.name, " ", fate(state, player)), el("b", {}, number(player.score)), el("span", { class: "hole" }, t("turn.hole", { hole: player.hole })))))),
      el("div", { class: "answers" }, ...acts, ...begins,
        tournament ? el("a", { class: "plain", href: "/tournament" }, t("ending.tournament")) : "",
        el("a", { class: "plain", id: "standing", href: "/standing" }, t("ending.standing")),
        el("a", { class: "plain", id: "report", href: "/games/now" }, t("ending.report"))));
    if (focused) byId(focused)?.focus();
    markPlayers(state);
    drawRace();
    drawStanding();
    drawBest();
  }

  async function drawBest() {
    const best = await (await import("./best.js")).bestTurn();
    if (!best || ending.hidden) return;
    ending.querySelector(".best")?.remove();
    ending.querySelector(".places").after(best);
  }

  // Marks the winners at the top, and who lost or is skunked.
  function markPlayers(state) {
    [...byId("players").children].forEach((chip, place) => {
      const player = state.players[place];
      chip.classList.toggle("wins", wins(state, player));
      if (!chip.querySelector(".fate")) chip.querySelector(".who").after(fate(state, player) ?? "");
    });
  }

  // The standing of two players, such as "Mia 3, Tom 2", fits the link; that of more, or none, has a title.
  async function drawStanding() {
    const evening = await fetch("/api/v1/standing").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
    const link = byId("standing");
    if (link && evening?.players?.length === 2) link.replaceChildren(`${t("ending.standing")}: `, evening.text);
  }

  // The server draws the race, as on the game's own page; without it the places are still shown.
  async function drawRace() {
    const answer = await fetch("/games/now/race.svg").catch(() => null);
    if (!answer?.ok || ending.hidden) return;
    const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
    if (drawn.nodeName !== "svg") return;
    ending.querySelector(".race")?.remove();
    ending.querySelector(".result").append(document.adoptNode(drawn));
  }

  function show(state) {
    const { reading: _reading, ...rest } = state;
    const now = JSON.stringify(rest);
    if (now === before) return;
    before = now;
    if (state.phase !== "over" && ending.contains(document.activeElement)) byId("turn").focus(); // after a rematch
    drawRoll(state);
    drawRisk(state);
    drawSelections(state);
    drawQuestion(state);
    drawEnding(state);
    byId("tournament").hidden = !state.tournament;
  }
  return { show };
}
