// Asks the table for its state while no stream speaks. The request is synchronous, so it runs in a worker: such a one
// gets a connection of its own, where others wait half a minute for lost ones (Chromium).

const TRY_MS = 2000;
const EACH_MS = 1000;
let timer = null;

function ask() {
  const request = new XMLHttpRequest();
  request.open("GET", "/api/v1/state", false);
  request.timeout = TRY_MS;
  try {
    request.send();
    postMessage(request.status === 200 ? request.responseText : null);
  } catch {
    postMessage(null);
  }
}

onmessage = ({ data }) => {
  if (data === (timer !== null)) return;
  clearInterval(timer);
  timer = data ? setInterval(ask, EACH_MS) : null;
  if (data) ask();
};
