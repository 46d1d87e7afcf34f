// Taps, long presses and drags of dice, by mouse or finger. The container, which outlives its dice, has the listeners.

import { die } from "./dom.js";

const SLOP = 8; // pixels that a finger may move in a tap
const LONG_MS = 500;

// Watches the dice in `container` (elements with data-place and data-face) and calls `onTap(place)`, `onLong(place,
// node)`, and `onDrop(place)` for a drop where `over(event)` is true. Only dice with `mayDrag(place)` can be dragged.
export function handleDice(container, { mayDrag, over, onDrag, onDrop, onTap, onLong }) {
  let held = null; // { place, face, node, x, y, ghost, timer }

  function end() {
    if (!held) return;
    clearTimeout(held.timer);
    held.ghost?.remove();
    held.node.classList.remove("taken");
    held = null;
    onDrag(false, false);
  }

  container.addEventListener("pointerdown", (event) => {
    const node = event.target.closest("[data-place]");
    if (!node || event.button !== 0 || held || event.target.closest(".pencil")) return;
    const place = Number(node.dataset.place);
    held = { place, face: node.dataset.face, node, x: event.clientX, y: event.clientY, ghost: null };
    held.timer = setTimeout(() => {
      const { node: on } = held;
      end();
      onLong(place, on);
    }, LONG_MS);
    container.setPointerCapture(event.pointerId);
  });
  // Keeps the browser from scrolling under the finger; not all browsers apply `touch-action` inside an SVG.
  container.addEventListener("touchstart", (event) => {
    if (event.cancelable && event.target.closest("[data-place]")) event.preventDefault();
  }, { passive: false });
  container.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP) return;
      clearTimeout(held.timer);
      if (!mayDrag(held.place)) return;
      held.ghost = die(held.face);
      held.ghost.classList.add("flying");
      document.body.append(held.ghost);
      held.node.classList.add("taken");
    }
    held.ghost.style.setProperty("left", `${event.clientX}px`);
    held.ghost.style.setProperty("top", `${event.clientY}px`);
    onDrag(true, over(event));
  });
  container.addEventListener("pointerup", (event) => {
    if (!held) return;
    const { place, ghost, x, y } = held;
    const dropped = ghost !== null && over(event);
    const tapped = ghost === null && Math.hypot(event.clientX - x, event.clientY - y) < SLOP;
    end();
    if (dropped) onDrop(place);
    else if (tapped) onTap(place);
  });
  container.addEventListener("pointercancel", end);
  container.addEventListener("contextmenu", (event) => event.target.closest("[data-place]") && event.preventDefault());
  // A key or a screen reader clicks without a pointer.
  container.addEventListener("click", (event) => {
    const node = event.target.closest("[data-place]");
    if (node && event.detail === 0 && !event.target.closest(".pencil")) onTap(Number(node.dataset.place));
  });
}
