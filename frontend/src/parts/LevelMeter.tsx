/** How loud the microphone is, as a row of bars. */

import { LEVEL_STEPS } from "../core/levels";
import type { Readable } from "../core/store";
import { useReadable } from "../hooks/useReadable";

const BARS = Array.from({ length: LEVEL_STEPS }, (_, at) => at + 1);

export function LevelMeter({ level }: { level: Readable<number> }) {
  const now = useReadable(level);
  return (
    <div className="meter">
      <meter className="sr" aria-label="Microphone level" min={0} max={LEVEL_STEPS} value={now} />
      {BARS.map((step) => (
        <i key={step} data-lit={step <= now} aria-hidden="true" />
      ))}
    </div>
  );
}
