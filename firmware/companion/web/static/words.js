// The words of the page, from the catalogue `languages/en.toml`: the server writes into the page the sections that its
// scripts use. `companion/words.py` lists the formats of the fields; here numbers have separators.

import { byId } from "./dom.js";

const CATALOGUE = JSON.parse(byId("words").textContent);

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const number = (value) => value.toLocaleString("en");
export const spoken = (dice) => dice.map(face).join(", ");

function face(value) {
  return CATALOGUE.one_face[value - 1];
}

export function joined(names) {
  return names.length < 2 ? names.join("") : t("dice.and", { first: names.slice(0, -1).join(", "), last: names.at(-1) });
}

function put(value, format) {
  const one = (Array.isArray(value) ? value.length : Math.abs(value)) === 1;
  if (format.includes("|")) return `${number(value)} ${format.split("|")[one ? 0 : 1]}`;
  if (format.includes("/")) return format.split("/")[one ? 0 : 1];
  switch (format) {
    case "dice": return t(one ? "dice.one" : "dice.many", { number: CATALOGUE.numbers[value] ?? value });
    case "face": return face(value);
    case "and": return joined(value);
    case ",": return number(value);
    default: return value;
  }
}

// Returns the sentence of a key in parts, so that a field may be an element.
export function parts(key, fields = {}) {
  const [section, name] = key.split(".");
  return CATALOGUE[section][name].split(/(\{[^}]+\})/).map((part) => {
    const [, field, format] = part.match(/^\{(\w+):?(.*)\}$/) ?? [];
    return field ? put(fields[field], format) : part;
  });
}

// Returns the sentence of a key with its fields filled in.
export const t = (key, fields) => parts(key, fields).join("");
