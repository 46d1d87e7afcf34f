// Asks the table for its state while no stream speaks. Chromium gives a synchronous request a connection of its own;
// others wait up to half a minute for lost connections. A page cannot stand still for an answer, so a worker asks.

const TRY_MS = 2000;
const EACH_MS = 1000;
let timer = null;

function ask() {
  const request = new XMLHttpRequest();
  request.open("GET", "/api/v1/state", false);
  request.setRequestHeader("Accept-Language", name); // the worker has the name of the page's language
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
