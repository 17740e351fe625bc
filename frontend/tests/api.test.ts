import { describe, expect, test } from "vitest";
import { createGateway } from "../src/api/gateway";

interface Sent {
  readonly address: string;
  readonly body: unknown;
}

function gateway(answer: () => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const send = async (address: string, init: RequestInit): Promise<Response> => {
    sent.push({ address, body: typeof init.body === "string" ? JSON.parse(init.body) : undefined });
    return answer();
  };
  return { sent, api: createGateway(send, { timeZone: "Europe/Lisbon", language: "pt" }) };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });

describe("the gateway", () => {
  test("given a token then time zone and language were told, and no identity", async () => {
    const { sent, api } = gateway(
      json({ server_url: "ws://x", participant_token: "t", room_name: "r", session_id: "s" }, 201),
    );

    const reply = await api.grant(undefined);

    expect(reply).toEqual({
      ok: true,
      value: { serverUrl: "ws://x", token: "t", roomName: "r", sessionId: "s" },
    });
    expect(sent).toEqual([
      {
        address: "/api/token",
        body: { participant_attributes: { time_zone: "Europe/Lisbon", language: "pt" } },
      },
    ]);
  });

  test.each([
    ["401", json({}, 401), { kind: "stranger" }],
    ["404", json({}, 404), { kind: "not_found" }],
    ["429", json({}, 429, { "Retry-After": "7" }), { kind: "too_many", retryAfterS: 7 }],
    ["429 without a time", json({}, 429), { kind: "too_many", retryAfterS: undefined }],
    ["502", json({}, 502), { kind: "unreachable" }],
    ["a problem", json({ detail: "No." }, 422), { kind: "refused", status: 422, detail: "No." }],
    [
      "HTML where JSON should be",
      () => new Response("<p>", { status: 200 }),
      { kind: "unreadable" },
    ],
    ["another shape", json({ person: 1 }), { kind: "unreadable" }],
    ["no answer", () => Promise.reject(new TypeError("failed")), { kind: "unreachable" }],
  ])("given %s then the problem has a name", async (_, answer, problem) => {
    expect(await gateway(answer).api.me()).toEqual({ ok: false, problem });
  });

  test("given people of whom one is unreadable then the others are listed", async () => {
    const people = [{ person_id: "a", name: "Ada" }, { name: "nobody" }, 3];

    expect(await gateway(json({ people })).api.people()).toEqual({
      ok: true,
      value: [{ personId: "a", name: "Ada" }],
    });
  });

  test("given answers then the latest build is remembered", async () => {
    const { api } = gateway(json({ parts: [] }, 200, { "X-Earwitness-Build": "b1" }));
    expect(api.servedBuild()).toBeUndefined();

    await api.status();

    expect(api.servedBuild()).toBe("b1");
  });
});
