// Short sounds: the table's own ones, or made here from a few notes each.

import { byId } from "./dom.js";

// [frequency in Hz, start and length in seconds]

const NOTES = {
  farkle: [[330, 0, 0.22], [277, 0.18, 0.22], [196, 0.36, 0.5]],
  "hot dice": [[523, 0, 0.12], [659, 0.1, 0.12], [784, 0.2, 0.12], [1047, 0.3, 0.3]],
  bump: [[392, 0, 0.08], [262, 0.09, 0.16]],
  bank: [[587, 0, 0.09], [784, 0.09, 0.16]],
  "final round": [[880, 0, 0.7], [1760, 0.01, 0.5], [880, 0.45, 0.9]],
  "last throw": [[659, 0, 0.1], [659, 0.2, 0.1], [659, 0.4, 0.3]],
  skunk: [[392, 0, 0.14], [370, 0.15, 0.14], [349, 0.3, 0.14], [330, 0.45, 0.6]],
  win: [[523, 0, 0.16], [659, 0.15, 0.16], [784, 0.3, 0.16], [1047, 0.45, 0.5], [784, 0.62, 0.2], [1047, 0.8, 0.7]],
};

const own = {}; // the table's own sounds, by moment, as far as they have been loaded
let audio = null;

for (const kind of JSON.parse(byId("sounds").dataset.own ?? "[]")) load(kind).catch(() => {}); // the notes are played

async function load(kind) {
  const file = await (await fetch(`/sounds/${kind}.wav`)).arrayBuffer();
  audio ??= new AudioContext();
  own[kind] = await audio.decodeAudioData(file);
}

// Plays the sound of a moment; `volume` is from 0 to 1. A browser that refuses sound before a tap stays silent.
export function play(kind, volume) {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {}); // also "interrupted": a lock or a call on a phone
  if (own[kind]) {
    const [sound, loudness] = [audio.createBufferSource(), audio.createGain()];
    sound.buffer = own[kind];
    loudness.gain.value = volume;
    sound.connect(loudness).connect(audio.destination);
    sound.start();
    return;
  }
  for (const [hertz, start, length] of NOTES[kind] ?? []) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0, from);
    loudness.gain.linearRampToValueAtTime(volume * 0.4, from + 0.012);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(loudness).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length + 0.02);
  }
}
