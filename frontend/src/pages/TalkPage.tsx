/** The talk page: joins the stores of a visit to the drawing. */

import { useCallback, useEffect, useMemo, useState } from "react";
import { assertNever } from "../core/assertNever";
import type { Action } from "../core/wording";
import { useDevices } from "../hooks/useDevices";
import { useReadable } from "../hooks/useReadable";
import { useSpaceToTalk } from "../hooks/useSpaceToTalk";
import { useVisit, type Visit } from "../hooks/useVisit";
import { type TalkActions, TalkView } from "./TalkView";

export function TalkPage() {
  const visit = useVisit();
  return visit === undefined ? null : <Talking visit={visit} />;
}

function Talking({ visit }: { visit: Visit }) {
  const { line, talk, watch, whoIsHere } = visit;
  const who = useReadable(whoIsHere.who);
  const state = useReadable(talk.state);
  const house = useReadable(watch.view);
  const devices = useDevices(line, state.microphone, state.camera);
  const [captions, setCaptions] = useState(false);
  const actions = useActions(visit, setCaptions);
  const known = who.kind === "known";
  const unreachable = who.kind === "unreachable";

  useEffect(() => {
    if (known) void talk.recall();
  }, [known, talk]);

  useEffect(() => {
    if (unreachable && house.answers > 0) void whoIsHere.look();
  }, [unreachable, house.answers, whoIsHere]);

  useSpaceToTalk({
    enabled: state.mode === "push" && state.call.kind === "talking",
    hold: actions.hold,
    release: actions.release,
  });

  return (
    <TalkView
      who={who}
      state={state}
      house={house}
      captions={captions}
      level={line.meter.level}
      devices={devices}
      hangFace={line.stage.faceIn}
      hangSelf={line.stage.selfIn}
      actions={actions}
    />
  );
}

function useActions(visit: Visit, setCaptions: (change: (on: boolean) => boolean) => void) {
  const { talk, watch, whoIsHere } = visit;
  const act = useCallback(
    (action: Action): void => {
      switch (action) {
        case "start":
          void talk.start();
          return;
        case "start_anew":
          void talk.startAnew();
          return;
        case "reload":
          window.location.reload();
          return;
        case "check_again":
          void watch.look();
          return;
        default:
          assertNever(action);
      }
    },
    [talk, watch],
  );
  return useMemo(
    (): TalkActions => ({
      act,
      begin: (name) => {
        void whoIsHere.signIn({ name }).then((known) => (known ? talk.start() : undefined));
      },
      choosePerson: (personId) => void whoIsHere.signIn({ personId }),
      signOut: () => {
        talk.forget();
        void whoIsHere.signOut();
      },
      startFresh: () => {
        talk.forget();
        void talk.start();
      },
      lookAgain: () => void whoIsHere.look(),
      openMicrophone: () => void talk.openMicrophone(),
      enableSound: () => void talk.enableSound(),
      send: (text) => void talk.send(text),
      resend: (key) => void talk.resend(key),
      drop: talk.drop,
      dismiss: talk.dismiss,
      toggleMute: () => void talk.toggleMute(),
      toggleCamera: () => void talk.toggleCamera(),
      toggleScreen: () => void talk.toggleScreen(),
      toggleMode: () => void talk.setMode(talk.state.get().mode === "push" ? "open" : "push"),
      toggleCaptions: () => setCaptions((on) => !on),
      hold: () => void talk.hold(),
      release: (canceled) => void talk.release(canceled),
      leave: () => void talk.leave(),
    }),
    [act, setCaptions, talk, whoIsHere],
  );
}
