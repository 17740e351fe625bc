import { describe, expect, test } from "vitest";
import { absenceOf, readStatus } from "../../src/core/houseStatus";
import { median, remembered, seconds } from "../../src/core/latency";
import { LEVEL_STEPS, level, rms, smoothed } from "../../src/core/levels";
import { noticed, withoutSilence } from "../../src/core/notices";
import { beginning, safeName, safeText } from "../../src/core/safeText";

describe("text of unknown origin", () => {
  test.each([
    ["plain words", "plain words"],
    ["a\u0000b\u0007", "a␀b␇"],
    ["\u007f\u0085", "␡\uFFFD"],
    ["line\nbreak", "line\nbreak"],
    ["\u202Eevil\u202C", "evil"],
    ["مرحبا", "مرحبا"],
    ["\uD800", "\uFFFD"],
  ])("given %j then %j is shown", (given, shown) => {
    expect(safeText(given)).toBe(shown);
  });

  test("a name is one line of at most sixty characters", () => {
    expect(safeName(` A\n\tda ${"x".repeat(200)}`)).toMatch(/^A da x{54}…$/u);
  });

  test("the beginning of a long text says that it goes on", () => {
    expect(beginning("😀".repeat(10), 4)).toBe("😀😀😀😀…");
    expect(beginning("four", 4)).toBe("four");
  });
});

describe("latency", () => {
  test.each([
    [[], undefined],
    [[3], 3],
    [[1, 9], 5],
    [[9, 1, 2], 2],
  ])("given %j then the median is %j", (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test("ten are remembered", () => {
    const all = Array.from({ length: 12 }, (_, at) => at).reduce(
      remembered,
      [] as readonly number[],
    );

    expect(all).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("seconds have as many digits as matter", () => {
    expect([seconds(823), seconds(12_340)]).toEqual(["0.82 s", "12.3 s"]);
  });
});

describe("the level of the microphone", () => {
  test.each([
    [0, 0],
    [0.0001, 0],
    [1, LEVEL_STEPS],
  ])("given loudness %j then %j steps", (loudness, steps) => {
    expect(level(loudness)).toBe(steps);
  });

  test("speech shows in the middle", () => {
    expect(level(0.05)).toBeGreaterThan(LEVEL_STEPS / 2);
    expect(level(0.05)).toBeLessThan(LEVEL_STEPS);
  });

  test("it rises at once and falls step by step", () => {
    expect([smoothed(2, 9), smoothed(9, 2)]).toEqual([9, 8]);
    expect(rms(new Float32Array([0.5, -0.5]))).toBeCloseTo(0.5);
    expect(rms(new Float32Array())).toBe(0);
  });
});

describe("the state of the house", () => {
  const part = (name: string, state: string, values = {}) => ({
    name,
    state,
    detail_code: null,
    values,
  });

  test.each([
    ["all runs", [part("house", "running")], { kind: "nobody_came" }],
    [
      "a model loads",
      [part("model-server", "starting", { done_bytes: 30, total_bytes: 120 })],
      { kind: "loading", part: "model-server", percent: 25 },
    ],
    [
      "one failed while another starts",
      [part("house", "starting"), part("model-server", "failed")],
      { kind: "part_failed", part: "model-server" },
    ],
    ["one restarts", [part("house", "restarting")], { kind: "part_restarting", part: "house" }],
    ["something unreadable", [{ name: 1 }, part("x", "dancing")], { kind: "nobody_came" }],
  ])("given %s", (_, parts, expected) => {
    expect(absenceOf(readStatus({ build: "b", parts }))).toEqual(expected);
  });

  test("given no status then nobody came", () => {
    expect(absenceOf(readStatus("down"))).toEqual({ kind: "nobody_came" });
  });
});

describe("notices", () => {
  test("a recovery answers a failure, and the same news stands once", () => {
    let notices = noticed([], 1, "provider_failed", {});
    notices = noticed(notices, 2, "not_heard", {});
    notices = noticed(notices, 3, "not_heard", {});
    notices = noticed(notices, 4, "provider_recovered", {});

    expect(notices.map((notice) => notice.key)).toEqual([3, 4]);
  });

  test("speaking ends the warning about silence", () => {
    const warned = noticed([], 1, "silence_closing", { seconds: 30 });

    expect(withoutSilence(warned)).toEqual([]);
  });
});
