/** Level of the microphone, read from the live track a few times a second. */

import { LEVEL_STEPS, level, rms, smoothed } from "../core/levels";
import { createStore, type Readable } from "../core/store";

const EVERY_MS = 60;
const SAMPLES = 1024;

export interface Meter {
  /** 0 to `LEVEL_STEPS`. */
  readonly level: Readable<number>;
  /** Measures this track from now on; undefined rests. */
  follow(track: MediaStreamTrack | undefined): void;
}

export const METER_STEPS = LEVEL_STEPS;

export function createMeter(): Meter {
  const store = createStore(0);
  let stop: () => void = () => undefined;
  return {
    level: store,
    follow: (track) => {
      stop();
      store.set(0);
      stop =
        track === undefined
          ? () => undefined
          : measured(track, (now) => store.update((before) => smoothed(before, now)));
    },
  };
}

function measured(track: MediaStreamTrack, tell: (level: number) => void): () => void {
  const context = new AudioContext();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = SAMPLES;
  source.connect(analyser);
  void context.resume();
  const samples = new Float32Array(SAMPLES);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    tell(track.enabled ? level(rms(samples)) : 0);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    source.disconnect();
    void context.close();
  };
}
