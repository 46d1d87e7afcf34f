// The words of the page, from the client's catalogue: the server writes into the page the sections that its scripts use.
// `companion/words/catalogue.py` lists the formats of the fields, and does the same.

import { byId } from "./dom.js";

const CATALOGUE = JSON.parse(byId("words").textContent);
const inDecimals = new Map();

const OWN = { rules: new Intl.PluralRules(CATALOGUE.locale), categories: CATALOGUE.categories };
const ENGLISH = { rules: new Intl.PluralRules("en"), categories: ["one", "other"] };

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Returns a number with the separators of the language.
export function number(value, places = 0) {
  if (!inDecimals.has(places)) {
    inDecimals.set(places, new Intl.NumberFormat(CATALOGUE.locale, {
      useGrouping: "always", numberingSystem: "latn", minimumFractionDigits: places, maximumFractionDigits: places, roundingMode: "halfEven",
    }));
  }
  return inDecimals.get(places).format(value);
}

const face = (value) => CATALOGUE.one_face[value - 1];
const plain = (value) => (Number.isInteger(value) ? number(value) : value);
const inWords = (value) => CATALOGUE.numbers[value] ?? number(value);

// Returns the form for a number. A sentence that the language lacks comes in English, with the forms of English.
function plural(count, forms) {
  const { rules, categories } = forms.length === OWN.categories.length ? OWN : ENGLISH;
  const category = rules.select(Math.abs(count));
  return forms[categories.indexOf(categories.includes(category) ? category : "other")];
}

// Returns texts with what the language puts between two of them.
export const listed = (texts, between = "list.comma") => texts.join(t(between));

// Returns a list in words: "Ann, Ben and Cy".
export function joined(names, join = "list.and") {
  return names.length < 2 ? names.join("") : t(join, { first: listed(names.slice(0, -1)), last: names.at(-1) });
}

// Returns faces in words: "one, five".
export const spoken = (dice) => listed(dice.map(face));

const dice = (count) => t("dice.count", { number: count });
const the = (faces) => joined(faces.map((one) => t("dice.the", { face: one })));

const FORMATS = {
  "": plain,
  "+": (value) => `${value > 0 ? "+" : ""}${number(value)}`,
  dice,
  Dice: (value) => capital(dice(value)),
  "dice or": (counts) => joined([...counts.slice(0, -1).map(inWords), dice(counts.at(-1))], "list.or"),
  number: inWords,
  face,
  several: (value) => CATALOGUE.many_faces[value - 1],
  faces: (value) => value.join(" "),
  the,
  The: (value) => capital(the(value)),
  and: (value) => joined(value),
  or: (value) => joined(value, "list.or"),
  comma: (value) => listed(value),
  sentences: (value) => listed(value, "list.space"),
  combination: (value) => CATALOGUE.combination?.[value] ?? value,
  rule_set: (value) => CATALOGUE.rule_set?.[value] ?? value,
};

function put(value, format) {
  if (FORMATS[format]) return FORMATS[format](value);
  if (format.startsWith(".")) return number(value, Number(format.slice(1)));
  if (typeof value === "string") return value; // text has no plural
  if (format.includes("|")) return `${number(value)} ${plural(value, format.split("|"))}`;
  const count = Array.isArray(value) ? value.length : value;
  return plural(count, format.split("/")).replaceAll("#", inWords(count));
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
