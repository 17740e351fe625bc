/** The talk page as a drawing: everything it shows comes in, everything one does goes out. */

import { inCall } from "../core/call";
import { captionOf } from "../core/conversation";
import { safeName } from "../core/safeText";
import type { Readable } from "../core/store";
import type { TalkState } from "../core/talkState";
import { microphoneWords } from "../core/troubleWords";
import type { HouseView } from "../core/watch";
import type { Who } from "../core/who";
import { type Action, callWords } from "../core/wording";
import type { Devices } from "../hooks/useDevices";
import { Composer } from "../parts/Composer";
import { type ControlActions, Controls } from "../parts/Controls";
import { Conversation } from "../parts/Conversation";
import { Face, type Hang } from "../parts/Face";
import { Latency } from "../parts/Latency";
import { Legend } from "../parts/Legend";
import { Notices } from "../parts/Notices";
import { SelfView } from "../parts/SelfView";
import { Banners } from "./Banners";
import { circumstances } from "./circumstances";
import { Invitation } from "./Invitation";

export interface TalkActions extends ControlActions {
  readonly act: (action: Action) => void;
  readonly begin: (name: string) => void;
  readonly choosePerson: (personId: string) => void;
  readonly signOut: () => void;
  readonly startFresh: () => void;
  readonly lookAgain: () => void;
  readonly openMicrophone: () => void;
  readonly enableSound: () => void;
  readonly send: (text: string) => void;
  readonly resend: (key: string) => void;
  readonly drop: (key: string) => void;
  readonly dismiss: (notice: number) => void;
}

export interface TalkViewProps {
  readonly who: Who;
  readonly state: TalkState;
  readonly house: HouseView;
  readonly captions: boolean;
  readonly level: Readable<number>;
  readonly devices: Devices;
  readonly hangFace: Hang;
  readonly hangSelf: Hang;
  readonly actions: TalkActions;
}

export function TalkView(props: TalkViewProps) {
  const { who, state, house, captions, actions } = props;
  const calling = inCall(state.call);
  const person = who.kind === "known" ? who.person : undefined;
  return (
    <div className="page" data-call={state.call.kind}>
      <header className="top">
        <h1>
          <Mark />
          Earwitness
        </h1>
        {person !== undefined && (
          <p className="me">
            <bdi>{safeName(person.name)}</bdi>
            {!calling && (
              <button type="button" className="link" onClick={actions.signOut}>
                Not you?
              </button>
            )}
          </p>
        )}
      </header>
      <main className="talk">
        <section className="stage" aria-label="Stage">
          <div className="picture" data-mood={state.conversation.avatar}>
            <Face
              shown={state.faceShown}
              mood={state.call.kind === "talking" ? state.conversation.avatar : "idle"}
              hang={props.hangFace}
            />
            <div className="pills">
              <p className="pill status" role="status" data-call={state.call.kind}>
                {statusText(props)}
              </p>
              {calling && <Latency latencies={state.conversation.latencies} />}
            </div>
            {state.camera.kind === "on" && <SelfView hang={props.hangSelf} />}
            {captions && state.call.kind === "talking" && (
              <p className="caption" dir="auto">
                {captionOf(state.conversation)}
              </p>
            )}
            <Invitation who={who} state={state} house={house} actions={actions} />
          </div>
          <Banners state={state} house={house} actions={actions} />
          {calling && (
            <Controls
              state={state}
              captions={captions}
              level={props.level}
              devices={props.devices}
              actions={actions}
            />
          )}
        </section>
        <section className="conversation" aria-label="What was said">
          <Conversation
            conversation={state.conversation}
            me={person?.personId}
            names={state.names}
            resend={actions.resend}
            drop={actions.drop}
          />
          <Legend />
          <Notices notices={state.notices} names={state.names} dismiss={actions.dismiss} />
          <Composer disabled={!calling} send={actions.send} />
        </section>
      </main>
    </div>
  );
}

function statusText({ who, state, house }: TalkViewProps): string {
  if (who.kind === "looking") return "Opening…";
  if (who.kind === "unreachable") return "Server gone";
  if (who.kind === "stranger") return "Welcome";
  const words = callWords(state.call, circumstances(state, house));
  const more: string[] = [];
  if (state.microphone.kind === "failed")
    more.push(microphoneWords(state.microphone.trouble).short);
  if (state.sound === "blocked") more.push("sound blocked");
  return [words.status, ...more].join(" · ");
}

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M10 21c-3.500-7.500 1-15 7.500-15 6 0 9.500 4.500 9 10-.400 6-6 7-6.500 12-.400 3-4.500 3.500-6 1 M15.500 16c.500-4 6-4 6 0 M4 12v8 M7.200 9.500v0" />
    </svg>
  );
}
