// The one thing on the pages of the games that needs a script: playing the same game again.

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
