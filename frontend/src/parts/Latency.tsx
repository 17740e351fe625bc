/** How long the last answer took, with the median of the last ten behind it. */

import { median, seconds } from "../core/latency";

export function Latency({ latencies }: { latencies: readonly number[] }) {
  const last = latencies.at(-1);
  const middle = median(latencies);
  if (last === undefined || middle === undefined) return null;
  const more = `from the end of your speech to the first sound; median of the last ${latencies.length}: ${seconds(middle)}`;
  return (
    <p className="pill latency" title={more}>
      <span className="sr">Last answer after </span>
      {seconds(last)}
    </p>
  );
}
