// Dragging a die onto the shelf, by mouse or finger. A press without a move is a tap.

import { die } from "./dom.js";

const SLOP = 8;

// Makes `node` a die that can be dragged. `can` returns whether it may be dragged now.
export function draggable(node, { face, shelf, can, onDrop, onTap }) {
  let start = null;
  let ghost = null;

  const over = (event) => {
    const box = shelf.getBoundingClientRect();
    return event.clientX > box.left - 12 && event.clientX < box.right + 12 && event.clientY > box.top - 24 && event.clientY < box.bottom + 24;
  };

  function end() {
    ghost?.remove();
    ghost = null;
    start = null;
    shelf.classList.remove("open", "over");
    node.classList.remove("taken");
  }

  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !can()) return;
    start = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!start) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - start[0], event.clientY - start[1]) < SLOP) return;
      ghost = die(face);
      ghost.classList.add("flying");
      document.body.append(ghost);
      node.classList.add("taken");
      shelf.classList.add("open");
    }
    ghost.style.setProperty("left", `${event.clientX}px`);
    ghost.style.setProperty("top", `${event.clientY}px`);
    shelf.classList.toggle("over", over(event));
  });
  node.addEventListener("pointerup", (event) => {
    const dropped = ghost !== null && over(event);
    if (ghost) node.dataset.dragged = "yes"; // the click that follows is no tap
    end();
    if (dropped) onDrop();
  });
  node.addEventListener("pointercancel", end);
  node.addEventListener("click", () => {
    if (node.dataset.dragged) delete node.dataset.dragged;
    else onTap();
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onTap();
  });
}
