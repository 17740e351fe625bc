/** Loudness of the microphone as a small whole number, for a meter that does not flicker. */

export const LEVEL_STEPS = 12;
const QUIETEST_DB = -54;
const LOUDEST_DB = -12;
/** Steps a meter falls per reading; speech has gaps that would make it jump. */
const FALL = 1;

/** `samples`: −1..1, as an analyser gives them. */
export function rms(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length);
}

/** Steps from 0 to `LEVEL_STEPS`; speech at arm's length fills about two thirds. */
export function level(loudness: number): number {
  if (loudness <= 0) return 0;
  const db = 20 * Math.log10(loudness);
  const share = (db - QUIETEST_DB) / (LOUDEST_DB - QUIETEST_DB);
  return Math.round(Math.min(1, Math.max(0, share)) * LEVEL_STEPS);
}

/** Rises at once, falls step by step. */
export function smoothed(before: number, now: number): number {
  return now >= before ? now : Math.max(now, before - FALL);
}
