// Shows the cards of a stream in the place of the older ones. The browser opens a broken stream again by itself.

const place = document.querySelector("[data-live]");
const lost = document.getElementById("lost");
const AGAIN_MS = 3000; // an answer that is no stream, such as 503, ends it for good

function show({ data }) {
  const made = document.createElement("template");
  made.innerHTML = data;
  const card = made.content.firstElementChild;
  const before = document.getElementById(card.id);
  if (before) before.replaceWith(card);
  else place.append(card);
}

function listen() {
  const source = new EventSource(place.dataset.live);
  source.onmessage = show;
  source.onopen = () => { lost.hidden = true; };
  source.onerror = () => {
    lost.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS * (1 + Math.random()));
  };
}

listen();
