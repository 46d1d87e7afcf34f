// House rules: every switch of a rule set in its group, and the name under which the house saves them.

import { el } from "./dom.js";
import { askFirst } from "./newgame.js";
import { t } from "./words.js";

const QUOTED_OR_CODE = /(?<=[“”„«»‹›"'][\u00a0\u202f]?)([a-z]\w*)(?=[\u00a0\u202f]?[“”„«»‹›"'])|\b[a-z]\w*[_0-9]\w*\b/g;

const off = (value) => value === false || value === 0 || value === "none" || value === "off";

// Calls `onChange` after every change that a person makes. `load` takes a rule set's form from the API.
export function createHouse(onChange) {
  const count = el("small");
  const groups = el("div", { class: "groups" });
  const back = el("button", { type: "button", class: "quiet", onclick: reset }, t("form.back_to_sheet"));
  const element = el("details", { class: "house" }, el("summary", {}, t("form.house"), " ", count), groups, back);
  let switches = [];
  let counts = [];
  let touched = null; // the row that was changed last, below which a refusal is shown

  function control(each, id) {
    if (each.kind === "flag") return el("input", { type: "checkbox", id });
    if (each.kind === "points") {
      return el("input", { type: "number", id, inputmode: "numeric", min: each.least, max: each.most, placeholder: each.sheet ? null : each.sheet_words });
    }
    return el("select", { id }, ...each.values.map(({ value, words }) => el("option", { value }, words)));
  }

  // A sheet's 0 is an empty field: its placeholder says what it means.
  function set({ input, kind, sheet }, value) {
    if (kind === "flag") input.checked = value;
    else input.value = kind === "points" && !value && !sheet ? "" : String(value);
  }

  // An empty field means the sheet's number; an invalid number is sent as typed, and refused.
  function valueOf({ input, kind, values, sheet }) {
    if (kind === "flag") return input.checked;
    if (kind === "choice") return values[input.selectedIndex]?.value ?? sheet;
    if (input.value === "") return input.validity.badInput ? "?" : sheet;
    return Number.isInteger(Number(input.value)) ? Number(input.value) : input.value;
  }

  const isOn = (names) => switches.some((one) => names?.includes(one.name) && !off(valueOf(one)));
  const isShown = (each) => (!each.needs?.length || isOn(each.needs)) && !isOn(each.unless);
  const isChanged = (each) => isShown(each) && valueOf(each) !== each.sheet;

  function row(each) {
    const id = `switch-${each.name}`;
    each.input = control(each, id);
    each.input.setAttribute("aria-describedby", `${id}-sheet`);
    each.row = el("div", { class: `switch ${each.kind}` },
      el("label", { for: id }, each.label, " ", el("small", { id: `${id}-sheet` }, t("form.sheet", { value: each.sheet_words }))), each.input);
    set(each, each.value);
    return each.row;
  }

  function show() {
    for (const each of switches) {
      each.row.hidden = !isShown(each);
      each.row.classList.toggle("changed", isChanged(each));
    }
    for (const { tally, own } of counts) {
      const changed = own.filter(isChanged).length;
      tally.textContent = changed ? t("form.group_changes", { count: changed }) : "";
    }
    const changed = switches.filter(isChanged).length;
    count.textContent = changed ? t("form.changes", { count: changed }) : t("form.as_on_sheet");
    back.hidden = !changed;
  }

  function reset() {
    for (const each of switches) set(each, each.sheet);
    show();
    onChange();
  }

  function load(form) {
    const open = new Set([...groups.children].filter((one) => one.open).map((one) => one.dataset.title));
    switches = [];
    counts = [];
    touched = null;
    groups.replaceChildren(...form.groups.map(({ title, switches: given }) => {
      const own = given.map((each) => ({ ...each }));
      const tally = el("small");
      switches.push(...own);
      counts.push({ tally, own });
      return el("details", { class: "group", "data-title": title, open: open.has(title) }, el("summary", {}, title, " ", tally), ...own.map(row));
    }));
    show();
  }

  // Returns the changed switches by name, as a new game sends them.
  const settings = () => Object.fromEntries(switches.filter(isChanged).map((each) => [each.name, valueOf(each)]));

  // Replaces the names of switches in a sentence by their labels on the form, within the marks of any language.
  function worded(sentence) {
    return sentence.replace(QUOTED_OR_CODE, (found, quoted) => {
      const label = switches.find((each) => each.name === found)?.label.split(":")[0];
      return label && !quoted ? `“${label}”` : label ?? found;
    });
  }

  element.addEventListener("input", (event) => {
    touched = event.target.closest(".switch");
    show();
    onChange();
  });
  return { element, load, settings, worded, loaded: () => switches.length > 0, touched: () => touched };
}

// The row that saves the rules of the form under a name, or deletes saved ones. `send(path, body)` resolves to whether
// the table has done it.
export function createSaving(send) {
  const name = el("input", { type: "text", id: "rules-name", maxlength: 100, autocomplete: "off", enterkeyhint: "done" });
  const save = el("button", { type: "button", class: "plain", onclick: keep }, t("form.save_rules"));
  const gone = el("button", { type: "button", class: "quiet", onclick: drop }, t("form.delete_rules"));
  const element = el("div", { class: "field" }, el("label", { for: "rules-name" }, t("form.save_as")), el("div", { class: "saving" }, name, save, gone));
  let saved = null; // the key and the title of the rules, if the house has saved them

  function keep() {
    send("lobby/rules", { name: name.value });
  }

  async function drop() {
    const { key, title } = saved;
    if (await askFirst(t("form.delete_sure", { rules: title }), t("form.delete_rules"))) send(`rules/${encodeURIComponent(key)}/delete`, {});
  }

  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // Enter saves the rules and does not start a game
    keep();
  });

  // Shows the row if the house has saved these rules, or has changed some.
  function show(draft, changed) {
    const title = draft.own_rules?.[draft.rules];
    if (saved?.key !== draft.rules) name.value = title ?? "";
    saved = title ? { key: draft.rules, title } : { key: draft.rules };
    element.hidden = !title && !changed;
    gone.hidden = !title;
  }
  return { element, show };
}
