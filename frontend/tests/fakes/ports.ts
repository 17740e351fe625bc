/** Honest small stand-ins for what the talk page needs from outside. */

import type { Part } from "../../src/core/houseStatus";
import type {
  AvatarMethod,
  DeviceReply,
  Gateway,
  Grant,
  Keepsake,
  Line,
  Person,
  Problem,
  Reply,
  RoomEvent,
  RoomRef,
  Timer,
} from "../../src/core/ports";
import type { Turn } from "../../src/core/turns";

/** A clock that moves only when told to. */
export class ManualTimer implements Timer {
  #nowS = 0;
  #due: { atS: number; run: () => void }[] = [];

  after(seconds: number, run: () => void): () => void {
    const entry = { atS: this.#nowS + seconds, run };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  /** Lets `seconds` pass and runs what falls due, in order. */
  async pass(seconds: number): Promise<void> {
    const untilS = this.#nowS + seconds;
    for (;;) {
      const next = this.#due.filter((item) => item.atS <= untilS).sort((a, b) => a.atS - b.atS)[0];
      if (next === undefined) break;
      this.#nowS = next.atS;
      this.#due = this.#due.filter((item) => item !== next);
      next.run();
      await settled();
    }
    this.#nowS = untilS;
  }
}

/** Lets everything that is already decided happen. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}

const UNREACHABLE: Problem = { kind: "unreachable" };

export class FakeGateway implements Gateway {
  up = true;
  build: string | undefined = "one";
  person: Person | undefined;
  everybody: readonly Person[] = [];
  parts: readonly Part[] = [];
  turns: readonly Turn[] = [];
  refuses: Problem | undefined;
  /** Rooms that exist; others are not found. */
  readonly rooms = new Set<string>();
  readonly asked: string[] = [];

  #reply<T>(value: T | undefined): Reply<T> {
    if (!this.up) return { ok: false, problem: UNREACHABLE };
    return value === undefined ? { ok: false, problem: { kind: "stranger" } } : { ok: true, value };
  }

  me = async (): Promise<Reply<Person>> => this.#reply(this.person);
  people = async (): Promise<Reply<readonly Person[]>> => this.#reply(this.everybody);
  signIn = async (as: { name: string } | { personId: string }): Promise<Reply<Person>> => {
    if (this.refuses !== undefined) return { ok: false, problem: this.refuses };
    this.person = "name" in as ? { personId: "new", name: as.name } : this.#known(as.personId);
    return this.#reply(this.person);
  };
  signOut = async (): Promise<boolean> => {
    this.person = undefined;
    return this.up;
  };
  redeem = async (link: string): Promise<Reply<RoomRef>> => {
    if (!this.up) return { ok: false, problem: UNREACHABLE };
    if (link !== "invitation=good") return { ok: false, problem: { kind: "not_found" } };
    this.rooms.add("theirs");
    return { ok: true, value: { roomName: "theirs", sessionId: "s-theirs" } };
  };
  grant = async (roomName: string | undefined): Promise<Reply<Grant>> => {
    this.asked.push(roomName ?? "a new room");
    if (!this.up) return { ok: false, problem: UNREACHABLE };
    if (this.refuses !== undefined) return { ok: false, problem: this.refuses };
    if (roomName !== undefined && !this.rooms.has(roomName)) {
      return { ok: false, problem: { kind: "not_found" } };
    }
    const name = roomName ?? `room-${this.rooms.size + 1}`;
    this.rooms.add(name);
    const value = { serverUrl: "ws://here", token: "t", roomName: name, sessionId: `s-${name}` };
    return { ok: true, value };
  };
  transcript = async (sessionId: string): Promise<Reply<readonly Turn[]>> => {
    this.asked.push(`transcript of ${sessionId}`);
    return this.#reply(this.turns);
  };
  status = async (): Promise<Reply<readonly Part[]>> => this.#reply(this.parts);
  servedBuild = (): string | undefined => this.build;

  #known(personId: string): Person | undefined {
    return this.everybody.find((person) => person.personId === personId);
  }
}

export class FakeLine implements Line {
  able = true;
  reachable = true;
  microphoneReply: DeviceReply = { ok: true };
  cameraReply: DeviceReply = { ok: true };
  writes = true;
  readonly done: string[] = [];
  #listeners: ((event: RoomEvent) => void)[] = [];

  tell(event: RoomEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** One packet of the live topic. */
  say(seq: number, kind: string, values: Record<string, unknown>): void {
    const json = JSON.stringify({ v: 1, seq, kind, ...values });
    this.tell({ kind: "message", sender: "avatar", json });
  }

  listen = (listener: (event: RoomEvent) => void): (() => void) => {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  };
  supported = (): boolean => this.able;
  join = async (grant: Grant): Promise<boolean> => {
    this.done.push(`join ${grant.roomName}`);
    return this.reachable;
  };
  leave = async (): Promise<void> => {
    this.done.push("leave");
  };
  microphone = async (on: boolean): Promise<DeviceReply> => {
    this.done.push(`microphone ${on ? "on" : "off"}`);
    return on ? this.microphoneReply : { ok: true };
  };
  camera = async (on: boolean): Promise<DeviceReply> => (on ? this.cameraReply : { ok: true });
  screen = async (): Promise<DeviceReply> => ({ ok: true });
  write = async (text: string): Promise<boolean> => {
    this.done.push(`write ${text}`);
    return this.writes;
  };
  ask = async (method: AvatarMethod, payload: string): Promise<boolean> => {
    this.done.push(`${method} ${payload}`.trim());
    return true;
  };
  sound = async (): Promise<boolean> => true;
}

export class FakeKeepsake implements Keepsake {
  constructor(public room?: RoomRef) {}
  read = (): RoomRef | undefined => this.room;
  write = (room: RoomRef | undefined): void => {
    if (room === undefined) delete this.room;
    else this.room = room;
  };
}
