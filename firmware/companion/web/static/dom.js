// Makes elements of HTML and SVG, and the page's symbols, each in one call.

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

// Whether this client may only watch; then the page has no controls.
export const watching = Boolean(byId("room")?.hasAttribute("data-watch"));

// A die's top face. With a label it is an image; without one it is decoration of a labelled control.
export function die(face, label = null) {
  const named = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return svg("svg", { class: "die", ...named }, svg("use", { href: `#die-${face}` }));
}

// Returns the nodes of a sentence in which the faces of a throw, such as "2 2 1", are drawn as dice. The text keeps them.
export function withDice(sentence) {
  return sentence.split(/(?<![\d.,])([1-6](?: [1-6])+)(?!\d)/).map((part, place) => (place % 2
    ? el("span", { class: "drawn-dice" }, el("span", { class: "unseen" }, part), ...part.split(" ").map((face) => die(face)))
    : part));
}

// The sign of a player that the board plays, with its label; null for a person.
export const botSign = (player, label) => (player.bot ? el("span", { class: "bot", role: "img", "aria-label": label }) : null);

export function mark(player) {
  return svg("svg", { class: "mark", "aria-hidden": "true", "data-color": player.color },
    svg("use", { href: `#mark-${player.shape}` }));
}

// Adds a style sheet of the page once. Resolves when it has loaded.
const sheets = new Map();
export function style(name) {
  if (!sheets.has(name)) {
    const href = new URL(`./${name}.css`, import.meta.url).pathname; // of this script's version
    const loaded = document.querySelector(`link[href="${href}"]`);
    sheets.set(name, loaded ? Promise.resolve() : new Promise((done) => {
      document.head.append(el("link", { rel: "stylesheet", href, onload: done, onerror: done }));
    }));
  }
  return sheets.get(name);
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
