// Keeps the screen on. The Wake Lock API needs https. Without it a video plays behind the wall: Chromium keeps the screen
// on for one that fills the window, Firefox for one from a stream, Safari never. A phone in the hand gets no video.

const FRAME_MS = 1000;

async function lock() {
  if (!navigator.wakeLock) return false;
  try {
    await navigator.wakeLock.request("screen");
    return true;
  } catch {
    return false;
  }
}

// Plays a silent, invisible video of two colours, drawn here, over the whole of `place`.
function playVideo(place) {
  const canvas = document.createElement("canvas");
  if (!canvas.captureStream) return;
  canvas.width = canvas.height = 16;
  const paint = canvas.getContext("2d");
  let light = false;
  const draw = () => {
    light = !light;
    paint.fillStyle = light ? "#111" : "#000";
    paint.fillRect(0, 0, 16, 16);
  };
  draw();
  setInterval(draw, FRAME_MS);
  const video = document.createElement("video");
  Object.assign(video, { className: "awake", muted: true, playsInline: true, srcObject: canvas.captureStream(1) });
  video.setAttribute("aria-hidden", "true");
  place.append(video);
  const play = () => video.play().catch(() => document.addEventListener("pointerdown", play, { once: true }));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) play(); });
  play();
}

// Returns whether the browser has promised to keep the screen on.
export async function stayAwake() {
  if (!await lock()) return false;
  document.addEventListener("visibilitychange", () => { if (!document.hidden) lock(); }); // the lock ends when the page is hidden
  return true;
}

// The same, with a video in `place` where the browser promises nothing.
export async function keepAwake(place) {
  if (await stayAwake()) return true;
  playVideo(place);
  return false;
}
