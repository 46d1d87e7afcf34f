// The picture of a game's result: drawn before the tap, then shared, or shown to be held and saved.

import { byId, el, style } from "./dom.js";
import { t } from "./words.js";

// Returns the table's SVG as a PNG file, because few programs show an SVG.
async function drawn(address, name) {
  const [image, canvas] = [new Image(), document.createElement("canvas")];
  image.src = address;
  await image.decode();
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  const png = await new Promise((made) => canvas.toBlob(made, "image/png"));
  return new File([png], name, { type: "image/png" });
}

function show(file) {
  const address = URL.createObjectURL(file);
  const dialog = el("dialog", { class: "shared", "aria-label": t("share.picture") },
    el("img", { src: address, alt: t("share.picture") }), el("p", {}, t("share.hold")),
    el("div", { class: "answers" },
      el("a", { class: "solid", href: address, download: file.name }, t("share.save")),
      el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, t("share.close"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    URL.revokeObjectURL(address);
  });
  document.body.append(dialog);
  dialog.showModal();
}

// Makes a link to a result's SVG share its picture. Until the picture is drawn, or if it cannot be, the link saves the SVG.
async function shareBy(link) {
  const [file] = await Promise.all([drawn(link.href, link.download.replace(".svg", ".png")), style("share")]).catch(() => []);
  if (!file) return;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (!navigator.canShare?.({ files: [file] })) {
      show(file);
      return;
    }
    try {
      await navigator.share({ files: [file] });
    } catch (error) {
      if (error.name !== "AbortError") show(file);
    }
  });
  link.dataset.ready = "";
}

shareBy(byId("picture"));
