// Announces each moment once: a large word over the board, and a sound if sounds are on.

import { byId, calm, el } from "./dom.js";
import { t } from "./words.js";

const LOUDEST = ["win", "skunk", "final round", "last throw", "bump", "hot dice", "farkle", "bank"];
const SHOWN_MS = 2200;
const STORED = "farkle-crib-volume";

let made = null;

// The moments of this page; made with the first game, or when the panel with their volume is opened.
export function moments() {
  made ??= createMoments();
  return made;
}

function createMoments() {
  const moment = byId("moment");
  const slider = el("input", { type: "range", id: "volume", min: 0, max: 10, value: 0 });
  let shown = null; // the moments shown last; the first state shows none
  let hiding = null;
  let sounds = null;

  const volume = () => Number(slider.value) / Number(slider.max);
  async function listen() {
    if (volume()) sounds ??= await import("./sounds.js");
  }
  byId("sounds").append(slider);
  byId("sounds").hidden = false;
  slider.addEventListener("change", async () => {
    try {
      localStorage.setItem(STORED, slider.value);
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    await listen();
    sounds?.play("bank", volume());
  });
  try {
    slider.value = localStorage.getItem(STORED) ?? "0";
    listen();
  } catch {
    // Without storage sounds are off.
  }

  // Shows a moment large, and plays its sound; then the moment `next`.
  function announce({ kind, text }, next = null) {
    if (volume()) sounds?.play(kind, volume());
    if (kind === "bank") return;
    moment.textContent = ["win", "skunk"].includes(kind) ? text : t(`large.${kind}`);
    moment.dataset.kind = kind;
    moment.classList.remove("on");
    if (!calm()) void moment.offsetWidth; // restarts the animation
    moment.classList.add("on");
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      moment.classList.remove("on");
      if (next) announce(next);
    }, SHOWN_MS);
  }

  function show(state) {
    const now = state.moments ?? [];
    const key = JSON.stringify([state.seq, now.map((one) => one.kind)]);
    const before = shown;
    shown = key;
    if (before === null || before === key || !now.length) return;
    const [loudest, second] = [...now].sort((a, b) => LOUDEST.indexOf(a.kind) - LOUDEST.indexOf(b.kind));
    announce(loudest, second?.kind === "skunk" ? second : null);
  }
  return { show };
}
