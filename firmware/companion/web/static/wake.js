// Keeps the screen on. The Wake Lock API needs https, which a table has not. Without it a video plays behind the page:
// Chromium keeps the screen on for one that fills the window, and Firefox for one of a stream. Safari does for neither.

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

// Plays a silent video of two colours, drawn here, over the whole of `place` and unseen.
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
export async function keepAwake(place) {
  if (await lock()) {
    document.addEventListener("visibilitychange", () => { if (!document.hidden) lock(); }); // it ends with the page's sight
    return true;
  }
  playVideo(place);
  return false;
}
