/** A visitor of the talk page: the real talk over fakes of what is outside. */
import { createTalk, type Talk } from "../../src/core/talk";
import type { Device } from "../../src/core/talkState";
import { createWatch, type Watch } from "../../src/core/watch";
import { FakeGateway, FakeKeepsake, FakeLine, ManualTimer, settled } from "./ports";

export interface Visit {
  readonly gateway: FakeGateway;
  readonly line: FakeLine;
  readonly timer: ManualTimer;
  readonly keepsake: FakeKeepsake;
  readonly watch: Watch;
  readonly talk: Talk;
}

/** Return somebody who has opened the page. */
export function visit(keepsake = new FakeKeepsake(), invitation?: string): Visit {
  const gateway = new FakeGateway();
  const line = new FakeLine();
  const timer = new ManualTimer();
  const watch = createWatch(gateway, timer);
  const talk = createTalk({ gateway, line, keepsake, timer, watch, invitation });
  return { gateway, line, timer, keepsake, watch, talk };
}

/** Return somebody whom the avatar has joined. */
export async function talking(): Promise<Visit> {
  const here = visit();
  await here.talk.start();
  here.line.tell({ kind: "avatar_came" });
  await settled();
  return here;
}

export const call = ({ talk }: Visit) => talk.state.get().call;
export const microphone = ({ talk }: Visit): Device => talk.state.get().microphone;
