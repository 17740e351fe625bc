/** Every state of the talk page, by name. Screenshots, tests and accessibility checks walk this list. */

import type { Ending } from "../core/call";
import type { DeviceTrouble } from "../core/ports";
import type { TalkState } from "../core/talkState";
import type { TalkViewProps } from "../pages/TalkView";
import { delivered, followed, generated, person, progress, RUNNING, scene, told } from "./pieces";

const PORTUGAL =
  "The capital of Portugal is Lisbon. It lies at the mouth of the Tagus, on seven hills.";
const PLAN =
  "For the weekend I would take the train to Sintra on Saturday morning, walk up to the castle, and keep Sunday for the museums along the river.";

const FERRY = "Then skip it. Take the ferry to Cacilhas instead, and have lunch by the water.";

const conversation = told(
  person("t1", "What is the capital of Portugal?"),
  generated("t2", PORTUGAL),
  delivered("t2", "full", PORTUGAL.length),
  { kind: "answered", turnId: "t2", answerMs: 870 },
  person("t3", "And what could I do there on a weekend?"),
  generated("t4", PLAN),
  delivered("t4", "partial", PLAN.indexOf(" walk up")),
  { kind: "answered", turnId: "t4", answerMs: 1040 },
  person("t5", "Wait. I have been to Sintra before."),
  generated("t6", FERRY),
  progress("t6", FERRY.indexOf(" instead"), FERRY.indexOf(" and have")),
  { kind: "answered", turnId: "t6", answerMs: 790 },
  { kind: "state", state: "speaking" },
);

const afterwards = followed(conversation, {
  kind: "live",
  sender: "a",
  seq: 99,
  message: delivered("t6", "unknown"),
});

const talking: Partial<TalkState> = {
  call: { kind: "talking" },
  microphone: { kind: "on" },
  faceShown: true,
  room: { roomName: "r", sessionId: "s" },
  conversation,
};

const loading = {
  ...RUNNING,
  parts: [{ name: "model-server", state: "starting", detailCode: undefined, percent: 62 }] as const,
};

const ended = (ending: Ending): TalkViewProps =>
  scene({ call: { kind: "ended", ending }, conversation: afterwards, room: talking.room });

const microphone = (trouble: DeviceTrouble): TalkViewProps =>
  scene({ ...talking, microphone: { kind: "failed", trouble } });

export const SCENES: Readonly<Record<string, TalkViewProps>> = {
  opening: scene({}, { who: { kind: "looking" } }),
  "first-visit": scene(
    {},
    { who: { kind: "stranger", people: [], busy: false, trouble: undefined } },
  ),
  "who-are-you": scene(
    {},
    {
      who: {
        kind: "stranger",
        people: [
          { personId: "1", name: "Ada" },
          { personId: "2", name: "نور الهدى" },
          { personId: "3", name: "Bartholomew Featherstonehaugh-Cholmondeley the Younger" },
        ],
        busy: false,
        trouble: { kind: "too_many", retryAfterS: 20 },
      },
    },
  ),
  "server-gone-at-first": scene({}, { who: { kind: "unreachable" } }),
  idle: scene({}),
  "idle-loading": scene({}, { house: loading }),
  "idle-continues": scene({ conversation: afterwards, room: { roomName: "r", sessionId: "s" } }),
  invited: scene({ invitation: "invitation=x" }),
  connecting: scene({ call: { kind: "connecting", withAvatar: false } }),
  waiting: scene({ call: { kind: "waiting", returning: false }, microphone: { kind: "on" } }),
  "model-loading": scene(
    { call: { kind: "waiting", returning: false }, microphone: { kind: "on" } },
    { house: loading },
  ),
  "avatar-dropped-out": scene({
    ...talking,
    call: { kind: "waiting", returning: true },
    conversation: afterwards,
    faceShown: false,
  }),
  "absent-loading": scene({
    call: { kind: "absent", absence: { kind: "loading", part: "model-server", percent: 62 } },
  }),
  "absent-failed": scene({
    call: { kind: "absent", absence: { kind: "part_failed", part: "model-server" } },
  }),
  "absent-restarting": scene({
    call: { kind: "absent", absence: { kind: "part_restarting", part: "house" } },
  }),
  "absent-server-gone": scene({ call: { kind: "absent", absence: { kind: "server_gone" } } }),
  "absent-nobody": scene({ call: { kind: "absent", absence: { kind: "nobody_came" } } }),
  speaking: scene(talking, { captions: true }),
  listening: scene({
    ...talking,
    conversation: followed(
      afterwards,
      { kind: "live", sender: "b", seq: 1, message: { kind: "state", state: "listening" } },
      {
        kind: "live",
        sender: "b",
        seq: 2,
        message: { kind: "hearing", utteranceId: "u", speaker: "p-ada", text: "And is there a" },
      },
    ),
  }),
  "face-off": scene({ ...talking, faceShown: false }, { captions: true }),
  muted: scene({ ...talking, microphone: { kind: "off" } }),
  camera: scene({ ...talking, camera: { kind: "on" }, screen: { kind: "on" } }),
  "push-to-talk": scene({ ...talking, mode: "push", microphone: { kind: "off" } }),
  "push-to-talk-held": scene({ ...talking, mode: "push", holding: true }),
  typing: scene({
    ...talking,
    conversation: followed(
      afterwards,
      { kind: "typed", key: "a", text: "I would rather write this." },
      { kind: "typed_sent", key: "a" },
      { kind: "typed", key: "b", text: "x".repeat(3000) },
      { kind: "typed_failed", key: "b", why: "message_too_long" },
      { kind: "typed", key: "c", text: "\u0007bell \u202Eesrever\u202C مرحبا" },
    ),
  }),
  company: scene({
    ...talking,
    names: { "p-ben": "Ben\u202E" },
    conversation: told(
      person("t1", "Hello everybody."),
      person("t2", "Hello \u0000 Ada! مرحبا بالعالم", "p-ben"),
      generated("t3", "Good to see you both."),
      delivered("t3", "none"),
    ),
  }),
  notices: scene({
    ...talking,
    notices: [
      { key: 1, code: "provider_failed", values: {} },
      { key: 2, code: "silence_closing", values: { in_s: 60 } },
      { key: 3, code: "not_heard", values: { participant_id: "p-ben" } },
    ],
  }),
  "microphone-denied": microphone("denied"),
  "microphone-missing": microphone("missing"),
  "microphone-busy": microphone("busy"),
  "microphone-unsupported": microphone("unsupported"),
  "microphone-failed": microphone("failed"),
  "camera-denied": scene({
    ...talking,
    camera: { kind: "failed", trouble: "denied" },
    screen: { kind: "failed", trouble: "denied" },
  }),
  "sound-blocked": scene({ ...talking, sound: "blocked" }),
  reconnecting: scene({
    ...talking,
    call: { kind: "reconnecting", withAvatar: true },
    conversation: afterwards,
  }),
  "server-gone-in-call": scene(talking, { house: { ...RUNNING, reach: "gone" } }),
  "page-too-old": scene(talking, { house: { ...RUNNING, newer: true } }),
  left: scene({ call: { kind: "ended", ending: { kind: "left" } }, conversation: afterwards }),
  "session-ended": ended({ kind: "session_ended", because: "silent" }),
  "taken-over": ended({ kind: "taken_over" }),
  removed: ended({ kind: "removed" }),
  disconnected: ended({ kind: "lost" }),
  "server-gone": ended({ kind: "server_gone" }),
  "server-back": ended({ kind: "server_back" }),
  "room-unreachable": ended({ kind: "room_unreachable" }),
  unsupported: ended({ kind: "unsupported" }),
  "too-many": ended({ kind: "too_many", retryAfterS: 30 }),
  refused: ended({ kind: "refused", detail: "The house is full." }),
};
