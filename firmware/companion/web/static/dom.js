// Makes elements of HTML and SVG, and the drawings of the page's symbols, each by one call.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
export const byId = (id) => document.getElementById(id);

export const FACES = ["", "one", "two", "three", "four", "five", "six"];
export const COUNTS = ["no dice", "one die", "two dice", "three dice", "four dice", "five dice", "six dice"];

// A die's top face. With a label it is an image; without one it is decoration of a labelled control.
export function die(face, label = null) {
  const named = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return svg("svg", { class: "die", ...named }, svg("use", { href: `#die-${face}` }));
}

export function mark(player) {
  return svg("svg", { class: "mark", "aria-hidden": "true", "data-color": player.color },
    svg("use", { href: `#mark-${player.shape}` }));
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const number = (value) => value.toLocaleString("en");
export const spoken = (dice) => dice.map((face) => FACES[face]).join(", ");
export const joined = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);
export const plural = (count, one) => `${number(count)} ${one}${Math.abs(count) === 1 ? "" : "s"}`;
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
