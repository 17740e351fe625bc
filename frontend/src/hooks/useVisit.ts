/** Everything a visit of the talk page owns: gateway, room line, sign-in, conversation. Made once. */

import { useEffect, useState } from "react";
import { createGateway } from "../api/gateway";
import type { Keepsake, Timer } from "../core/ports";
import { createTalk, type Talk } from "../core/talk";
import { createWatch, type Watch } from "../core/watch";
import { createWho, type WhoIsHere } from "../core/who";
import { createLiveLine, type LiveLine } from "../room/liveLine";
import { createKeepsake } from "./keepsake";

export interface Visit {
  readonly line: LiveLine;
  readonly talk: Talk;
  readonly watch: Watch;
  readonly whoIsHere: WhoIsHere;
  readonly keepsake: Keepsake;
}

const clock: Timer = {
  after: (seconds, then) => {
    const timer = setTimeout(then, seconds * 1000);
    return () => clearTimeout(timer);
  },
};

function open(): Visit {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const send = (address: string, init: RequestInit) => fetch(address, init);
  const gateway = createGateway(send, { timeZone, language: navigator.language });
  const line = createLiveLine();
  const keepsake = createKeepsake(window.sessionStorage);
  const watch = createWatch(gateway, clock);
  const invitation = takenInvitation(window.location, window.history);
  const talk = createTalk({ gateway, line, keepsake, timer: clock, watch, invitation });
  return { line, talk, watch, whoIsHere: createWho(gateway), keepsake };
}

/** Reads an invitation from the address and takes it out of there, so that it is not passed on. */
function takenInvitation(address: Location, history: History): string | undefined {
  if (!address.hash.startsWith("#invitation=")) return undefined;
  const link = address.hash.slice(1);
  history.replaceState(history.state, "", address.pathname + address.search);
  return link;
}

/** Undefined during the first drawing. */
export function useVisit(): Visit | undefined {
  const [visit, setVisit] = useState<Visit>();
  useEffect(() => {
    const opened = open();
    setVisit(opened);
    void opened.whoIsHere.look();
    return () => {
      opened.talk.close();
      opened.watch.stop();
    };
  }, []);
  return visit;
}
