/** How quick the answers were: the last one and the median of the last ten. */

const KEPT = 10;

export function remembered(latencies: readonly number[], answerMs: number): readonly number[] {
  return [...latencies, answerMs].slice(-KEPT);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
