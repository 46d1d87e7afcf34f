// Copies a line of text, where the browser lets a page copy: on this machine, and by HTTPS.

import { t } from "./words.js";

// Makes a button copy a line; it stays hidden where nothing can be copied.
export function copies(button, line) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(line).then(() => { button.textContent = t("copy.copied"); }, () => { button.hidden = true; });
  });
}
