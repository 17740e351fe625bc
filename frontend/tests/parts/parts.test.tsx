// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { useSpaceToTalk } from "../../src/hooks/useSpaceToTalk";
import { Composer } from "../../src/parts/Composer";
import { HoldButton } from "../../src/parts/HoldButton";
import { NameForm } from "../../src/parts/NameForm";

afterEach(cleanup);

function Desk({ steps }: { steps: string[] }) {
  const hold = (): void => void steps.push("hold");
  const release = (canceled: boolean): void => void steps.push(canceled ? "cancel" : "release");
  useSpaceToTalk({ enabled: true, hold, release });
  return (
    <>
      <HoldButton holding={false} disabled={false} hold={hold} release={release} />
      <Composer disabled={false} send={() => undefined} />
    </>
  );
}

describe("writing", () => {
  test("given Enter then the message goes and the field is empty; with Shift it stays", () => {
    const sent: string[] = [];
    render(<Composer disabled={false} send={(text) => sent.push(text)} />);
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
    fireEvent.change(field, { target: { value: "Hello" } });

    fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
    expect(sent).toEqual([]);
    fireEvent.keyDown(field, { key: "Enter" });

    expect([sent, field.value]).toEqual([["Hello"], ""]);
  });

  test("given blank text then nothing goes", () => {
    const sent: string[] = [];
    render(<Composer disabled={false} send={(text) => sent.push(text)} />);

    fireEvent.click(screen.getByRole("button", { name: "Send" }));

    expect(sent).toEqual([]);
  });
});

describe("the first visit", () => {
  const stranger = {
    kind: "stranger",
    people: [{ personId: "p1", name: "Ada" }],
    busy: false,
    trouble: undefined,
  } as const;

  test("given a name then Start talking begins with it", () => {
    const begun: string[] = [];
    render(<NameForm who={stranger} begin={(name) => begun.push(name)} choose={() => undefined} />);
    fireEvent.change(screen.getByRole("textbox", { name: "Your name" }), {
      target: { value: "Grace" },
    });

    fireEvent.submit(screen.getByRole("textbox", { name: "Your name" }));

    expect(begun).toEqual(["Grace"]);
  });

  test("given somebody who was here then they choose themselves", () => {
    const chosen: string[] = [];
    render(<NameForm who={stranger} begin={() => undefined} choose={(id) => chosen.push(id)} />);

    fireEvent.click(screen.getByRole("button", { name: "Ada" }));

    expect(chosen).toEqual(["p1"]);
  });
});

describe("push-to-talk by keyboard", () => {
  const space = { code: "Space", key: " " };

  test.each([
    ["nothing is focused", () => document.body, ["hold", "release"]],
    [
      "the hold button is focused",
      () => screen.getByRole("button", { name: /Hold to talk/u }),
      ["hold", "release"],
    ],
    ["one is writing", () => screen.getByRole("textbox"), []],
    ["another button is focused", () => screen.getByRole("button", { name: "Send" }), []],
  ])("given %s when space is held and let go", (_, where, expected) => {
    const steps: string[] = [];
    render(<Desk steps={steps} />);

    fireEvent.keyDown(where(), space);
    fireEvent.keyDown(where(), { ...space, repeat: true });
    fireEvent.keyUp(where(), space);

    expect(steps).toEqual(expected);
  });

  test("given the page loses attention while holding then the turn ends", () => {
    const steps: string[] = [];
    render(<Desk steps={steps} />);
    fireEvent.keyDown(document.body, space);

    fireEvent.blur(window);

    expect(steps).toEqual(["hold", "release"]);
  });

  test("given Escape then the turn is thrown away", () => {
    const steps: string[] = [];
    render(<Desk steps={steps} />);
    fireEvent.keyDown(document.body, space);

    fireEvent.keyDown(document.body, { code: "Escape" });

    expect(steps).toEqual(["hold", "cancel"]);
  });
});
