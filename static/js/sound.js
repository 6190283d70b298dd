// Sounds of cards, made here: short bursts of filtered noise, like paper on cloth, and a soft chord for a win.

// How loud, how bright (Hz) and how long (seconds) the noise is; several bursts follow one another.
const BURSTS = {
  lift: [{ loud: 0.05, bright: 2600, long: 0.05 }],
  place: [
    { loud: 0.16, bright: 900, long: 0.07 },
    { loud: 0.06, bright: 3200, long: 0.03 },
  ],
  deal: [0, 1, 2].map((n) => ({ loud: 0.09, bright: 2000 - 300 * n, long: 0.05, at: 0.045 * n })),
  refuse: [0, 1].map((n) => ({ loud: 0.12, bright: 260, long: 0.06, at: 0.09 * n })),
  win: [],
};
const CHORD = [261.6, 329.6, 392, 523.3]; // hertz
const MILLISECONDS = { lift: 8, place: 14, deal: [8, 30, 8], refuse: [20, 50, 20], win: [30, 60, 30, 60, 90] };

let context = null;
let noise = null;

/** Play a sound. The browser keeps silent until the player has touched the page. */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const burst of BURSTS[name]) rustle(burst);
  if (name === "win") CHORD.forEach(ring);
}

/** Let the device vibrate, where it can. */
export function vibrate(name) {
  navigator.vibrate?.(MILLISECONDS[name]);
}

function rustle({ loud, bright, long, at = 0 }) {
  const start = context.currentTime + at;
  const source = new AudioBufferSourceNode(context, { buffer: paper() });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: bright, Q: 0.8 });
  source.connect(filter).connect(fading(loud, start, long)).connect(context.destination);
  source.start(start, Math.random() * 0.5, long * 2);
}

function ring(frequency, number) {
  const start = context.currentTime + 0.11 * number;
  const tone = new OscillatorNode(context, { type: "triangle", frequency });
  tone.connect(fading(0.07, start, 0.9)).connect(context.destination);
  tone.start(start);
  tone.stop(start + 1.8);
}

function fading(loud, start, long) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + long * 1.9);
  return gain;
}

function paper() {
  if (noise) return noise;
  noise = new AudioBuffer({ length: context.sampleRate, sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return noise;
}
