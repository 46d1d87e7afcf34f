// What the pages of the games need a script for: playing the same game again, and its result as a PNG.

const button = document.getElementById("again");
const refused = document.getElementById("refused");

async function again() {
  button.disabled = true;
  try {
    const answer = await fetch("/api/v1/game", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: button.dataset.game,
    });
    if (answer.ok) {
      location.assign("/");
      return;
    }
    const said = await answer.json().catch(() => ({}));
    refused.textContent = said.detail ?? `The table answered ${answer.status}.`;
  } catch {
    refused.textContent = "The table does not answer. It may have been switched off.";
  }
  refused.hidden = false;
  button.disabled = false;
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", again);
}

const picture = document.getElementById("picture");

// Few programs show an SVG, so the browser draws the table's SVG into a PNG. If it cannot, the SVG itself is taken.
async function takePicture(event) {
  event.preventDefault();
  const [image, canvas] = [new Image(), document.createElement("canvas")];
  image.src = picture.href;
  try {
    await image.decode();
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    const png = await new Promise((made) => canvas.toBlob(made, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(png);
    link.download = picture.download.replace(".svg", ".png");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  } catch {
    location.assign(picture.href);
  }
}

if (picture) picture.addEventListener("click", takePicture);
