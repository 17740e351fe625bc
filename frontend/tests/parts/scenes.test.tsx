// @vitest-environment happy-dom
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { inCall } from "../../src/core/call";
import { SCENES } from "../../src/gallery/scenes";
import { TalkView } from "../../src/pages/TalkView";

afterEach(cleanup);

const scenes = Object.entries(SCENES);

function show(name: string): void {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`no scene ${name}`);
  render(<TalkView {...scene} />);
}

describe("every state of the page", () => {
  test.each(scenes)(
    "given %s then it has the names that people and tests hold on to",
    (_, scene) => {
      render(<TalkView {...scene} />);

      expect(screen.getByRole("status").textContent?.length).toBeGreaterThan(3);
      expect(screen.getByRole("log", { name: "Conversation" })).toBeDefined();
      expect(screen.getByLabelText("Avatar").tagName).toBe("VIDEO");
      expect(screen.getByRole("textbox", { name: "Message" })).toBeDefined();
    },
  );

  test.each(scenes)("given %s then there is a way on", (_, scene) => {
    render(<TalkView {...scene} />);
    const names = screen.queryAllByRole("button").map((button) => button.textContent);

    const waysOn = ["Start talking", "Try again", "Leave", "Reload the page", "Check again"];
    const opening = scene.who.kind === "looking";
    expect(opening || names.some((name) => waysOn.includes(name ?? ""))).toBe(true);
  });

  test.each(scenes)("given %s then Start talking and Leave exclude each other", (_, scene) => {
    render(<TalkView {...scene} />);

    const leave = screen.queryAllByRole("button", { name: "Leave" });
    const start = screen.queryAllByRole("button", { name: "Start talking" });
    expect(leave).toHaveLength(inCall(scene.state.call) ? 1 : 0);
    expect(start.length).toBeLessThanOrEqual(1 - leave.length);
  });
});

describe("a talk", () => {
  test("given it runs then the toggles say whether they are on", () => {
    show("camera");
    const pressed = ["Mute", "Camera", "Share screen"].map((name) =>
      screen.getByRole("button", { name }).getAttribute("aria-pressed"),
    );

    expect(pressed).toEqual(["false", "true", "true"]);
  });

  test("given turns then each carries its id, speaker, delivery and evidence", () => {
    show("speaking");
    const log = within(screen.getByRole("log"));

    const turns = log.getAllByRole("listitem").map((item) => ({ ...item.dataset }));
    expect(turns.map((turn) => [turn.turnId, turn.speaker, turn.delivery, turn.evidence])).toEqual([
      ["t1", "person", "full", "server"],
      ["t2", "avatar", "full", "server"],
      ["t3", "person", "full", "server"],
      ["t4", "avatar", "partial", "server"],
      ["t5", "person", "full", "server"],
      ["t6", "avatar", "pending", "unknown"],
    ]);
  });

  test("given an interruption then what was never said is struck out", () => {
    show("speaking");

    const never = document.querySelector('[data-delivery="partial"] del');
    expect(never?.textContent).toContain("walk up to the castle");
  });

  test("given words that are still being recognised then they are no turn", () => {
    show("listening");

    expect(screen.getByText("And is there a").closest("[data-turn-id]")).toBeNull();
    expect(screen.getByText("And is there a").closest('[role="log"]')).toBeNull();
  });

  test("given captions then the words being said stand over the face", () => {
    show("speaking");

    expect(document.querySelector(".caption")?.textContent).toBe(
      "Take the ferry to Cacilhas instead,",
    );
  });

  test("given control characters and overrides then they are shown safely", () => {
    show("company");

    expect(screen.getByText("Hello ␀ Ada! مرحبا بالعالم")).toBeDefined();
    expect(screen.getByText("Ben")).toBeDefined();
  });
});
