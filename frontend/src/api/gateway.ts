/** The gateway over HTTP, as the port of `core/ports.ts` promises it. */

import type {
  Me,
  PeopleOut,
  PersonOut,
  Redeem,
  Redeemed,
  SignIn,
  TokenBody,
  TokenOut,
} from "../contracts/gateway";
import { id, list, promised, text } from "../core/decode";
import { readStatus } from "../core/houseStatus";
import type { Gateway, Grant, Person, RoomRef } from "../core/ports";
import { readTranscript } from "../core/transcript";
import { type Answered, ask, type Fetch, replyOf, type Wish } from "./ask";

/** Where the person is in the world: told with each token, so that the avatar knows the hour. */
export interface Whereabouts {
  readonly timeZone: string;
  readonly language: string;
}

const BUILD_HEADER = "X-Earwitness-Build";

export function createGateway(send: Fetch, whereabouts: Whereabouts): Gateway {
  let build: string | undefined;
  const call = async (address: string, wish: Wish = {}): Promise<Answered | undefined> => {
    const answered = await ask(send, address, wish);
    build = answered?.response.headers.get(BUILD_HEADER) ?? build;
    return answered;
  };
  const attributes = { time_zone: whereabouts.timeZone, language: whereabouts.language };

  return {
    me: async () => replyOf(await call("/api/me"), readPerson),
    people: async () => replyOf(await call("/api/people"), readPeople),
    signIn: async (who) => {
      const body: SignIn = "name" in who ? { name: who.name } : { person_id: who.personId };
      return replyOf(await call("/api/sign-in", { method: "POST", body }), readPerson);
    },
    signOut: async () =>
      (await call("/api/sign-out", { method: "POST", body: {} }))?.response.ok === true,
    redeem: async (link) => {
      const body: Redeem = { link };
      return replyOf(await call("/api/invitations/redeem", { method: "POST", body }), readRoom);
    },
    grant: async (roomName) => {
      const body: TokenBody = {
        ...(roomName === undefined ? {} : { room_name: roomName }),
        participant_attributes: attributes,
      };
      return replyOf(await call("/api/token", { method: "POST", body }), readGrant);
    },
    transcript: async (sessionId) => {
      const address = `/api/sessions/${encodeURIComponent(sessionId)}/transcript`;
      return replyOf(await call(address), readTranscript);
    },
    status: async () => replyOf(await call("/api/status"), readStatus),
    servedBuild: () => build,
  };
}

export function readPerson(body: unknown): Person | undefined {
  const from = promised<PersonOut & Me>(body);
  const personId = id(from?.person_id);
  const name = text(from?.name, 1000);
  return personId === undefined || name === undefined ? undefined : { personId, name };
}

export function readPeople(body: unknown): readonly Person[] | undefined {
  return list(promised<PeopleOut>(body)?.people)?.flatMap((item) => {
    const person = readPerson(item);
    return person === undefined ? [] : [person];
  });
}

export function readGrant(body: unknown): Grant | undefined {
  const from = promised<TokenOut>(body);
  const serverUrl = id(from?.server_url);
  const token = text(from?.participant_token, 20_000);
  const roomName = id(from?.room_name);
  if (serverUrl === undefined || token === undefined || roomName === undefined) return undefined;
  return { serverUrl, token, roomName, sessionId: id(from?.session_id) };
}

export function readRoom(body: unknown): RoomRef | undefined {
  const from = promised<Redeemed>(body);
  const roomName = id(from?.room_name);
  return roomName === undefined ? undefined : { roomName, sessionId: id(from?.session_id) };
}
