// Alarm tones made by the browser, without a file.

type Tone = { hertz: number; at: number; seconds: number };

/** Two short rising tones. */
const NEW_ALERT: readonly Tone[] = [
  { hertz: 784, at: 0, seconds: 0.14 },
  { hertz: 1047, at: 0.18, seconds: 0.22 },
];

/** A siren of six tones. */
const SOS: readonly Tone[] = Array.from({ length: 6 }, (_, index) => ({
  hertz: index % 2 === 0 ? 880 : 1320,
  at: index * 0.25,
  seconds: 0.22,
}));

const SOUNDS = {
  alert: { tones: NEW_ALERT, volume: 0.25, shape: 'sine' },
  sos: { tones: SOS, volume: 0.7, shape: 'square' },
} as const;

let context: AudioContext | undefined;

/** Browsers let a page sound only after a press. Call it in one. */
export async function allowSound(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
}

export function playSound(kind: keyof typeof SOUNDS): void {
  if (context?.state !== 'running') return;
  const { tones, volume, shape } = SOUNDS[kind];
  for (const { hertz, at, seconds } of tones) {
    const start = context.currentTime + at;
    const oscillator = new OscillatorNode(context, { type: shape, frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    // Ramps, because a tone that starts at full volume clicks.
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.02);
    gain.gain.setValueAtTime(volume, start + seconds - 0.04);
    gain.gain.linearRampToValueAtTime(0, start + seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }
}
