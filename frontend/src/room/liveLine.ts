/**
 * One connection to a LiveKit room, as the port `Line` of `core/ports.ts` promises it.
 *
 * Room events are translated and handed on; nothing is decided here. A late event of an earlier
 * room is not heard, because each join makes a room of its own.
 */

import {
  DefaultReconnectPolicy,
  isBrowserSupported,
  type RemoteParticipant,
  type RemoteTrack,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from "livekit-client";
import type { AvatarMethod, Grant, Line, RoomEvent as News } from "../core/ports";
import { CHAT_TOPIC, LIVE_TOPIC } from "../core/wire";
import { isAvatar, speaksForAvatar, stateOf } from "./avatar";
import { canCapture, canShareScreen, type DeviceKind, opened } from "./devices";
import { endingOf } from "./ending";
import { createMeter, type Meter } from "./meter";
import { createStage, type Stage } from "./stage";

const RPC_TIMEOUT_MS = 4_000;
/** Waits between attempts; about 30 s in all, as long as the server keeps a person's place. */
const RETRIES_MS = [0, 300, 800, 1_500, 2_500, 4_000, 5_000, 7_000, 9_000];

const RECOVERY_MS = 1_500;

export interface LiveLine extends Line {
  readonly meter: Meter;
  readonly stage: Stage;
  choose(kind: DeviceKind, deviceId: string): Promise<boolean>;
  chosen(kind: DeviceKind): string | undefined;
}

export function createLiveLine(): LiveLine {
  setLogLevel("warn");
  const listeners = new Set<(news: News) => void>();
  const meter = createMeter();
  const stage = createStage();
  const choices = new Map<DeviceKind, string>();
  let room: Room | undefined;

  const tell = (news: News): void => {
    for (const listener of [...listeners]) listener(news);
  };

  const opening = (): Room => {
    const microphoneId = choices.get("audioinput");
    const outputId = choices.get("audiooutput");
    return new Room({
      adaptiveStream: false,
      dynacast: true,
      disconnectOnPageLeave: true,
      reconnectPolicy: new DefaultReconnectPolicy(RETRIES_MS),
      audioCaptureDefaults: {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        ...(microphoneId === undefined ? {} : { deviceId: microphoneId }),
      },
      ...(outputId === undefined ? {} : { audioOutput: { deviceId: outputId } }),
    });
  };

  const join = async (grant: Grant): Promise<boolean> => {
    await leave();
    const next = opening();
    room = next;
    let joined = false;
    connectEvents(next, { tell, meter, stage, current: () => room === next, joined: () => joined });
    try {
      await next.connect(grant.serverUrl, grant.token);
      joined = true;
    } catch {
      if (room === next) room = undefined;
      return false;
    }
    if (room !== next) {
      await next.disconnect();
      return false;
    }
    tell({ kind: "sound", blocked: !next.canPlaybackAudio });
    return true;
  };

  const leave = async (): Promise<void> => {
    const last = room;
    room = undefined;
    meter.follow(undefined);
    stage.clear();
    await last?.disconnect();
  };

  const local = () => room?.localParticipant;

  return {
    meter,
    stage,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    supported: isBrowserSupported,
    join,
    leave,
    microphone: async (on) => {
      if (on && !canCapture()) return { ok: false, trouble: "unsupported" };
      return opened(async () => local()?.setMicrophoneEnabled(on));
    },
    camera: async (on) => {
      if (on && !canCapture()) return { ok: false, trouble: "unsupported" };
      return opened(async () => local()?.setCameraEnabled(on));
    },
    screen: async (on) => {
      if (on && !canShareScreen()) return { ok: false, trouble: "unsupported" };
      return opened(async () => local()?.setScreenShareEnabled(on));
    },
    write: async (text) => {
      const avatar = avatarOf(room);
      if (avatar === undefined) return false;
      const destinationIdentities = [avatar.identity];
      const sent = await opened(async () =>
        local()?.sendText(text, { topic: CHAT_TOPIC, destinationIdentities }),
      );
      return sent.ok;
    },
    ask: (method, payload) => performed(room, method, payload),
    sound: async () => (await opened(async () => room?.startAudio())).ok,
    choose: async (kind, deviceId) => {
      choices.set(kind, deviceId);
      return (await opened(async () => room?.switchActiveDevice(kind, deviceId))).ok;
    },
    chosen: (kind) => room?.getActiveDevice(kind) ?? choices.get(kind),
  };
}

/** The one that came last: the media server keeps a dead one for a while beside its successor. */
function avatarOf(room: Room | undefined): RemoteParticipant | undefined {
  const since = (one: RemoteParticipant): number => one.joinedAt?.getTime() ?? 0;
  const avatars = room === undefined ? [] : [...room.remoteParticipants.values()].filter(isAvatar);
  return avatars.sort((one, other) => since(other) - since(one))[0];
}

async function performed(
  room: Room | undefined,
  method: AvatarMethod,
  payload: string,
): Promise<boolean> {
  const avatar = avatarOf(room);
  if (room === undefined || avatar === undefined) return false;
  const asked = await opened(async () =>
    room.localParticipant.performRpc({
      destinationIdentity: avatar.identity,
      method,
      payload,
      responseTimeout: RPC_TIMEOUT_MS,
    }),
  );
  return asked.ok;
}

interface Ears {
  readonly tell: (news: News) => void;
  readonly meter: Meter;
  readonly stage: Stage;
  readonly current: () => boolean;
  /** A room that was never joined is refused, not closed. */
  readonly joined: () => boolean;
}

function connectEvents(room: Room, ears: Ears): void {
  const decoder = new TextDecoder();
  let avatarHere = false;
  const tell = (news: News): void => {
    if (ears.current()) ears.tell(news);
  };
  const came = (): void => {
    if (avatarHere || avatarOf(room) === undefined) return;
    avatarHere = true;
    tell({ kind: "avatar_came" });
    avatarState();
  };
  const avatarState = (): void => {
    const avatar = avatarOf(room);
    const state = avatar === undefined ? undefined : stateOf(avatar);
    if (state !== undefined) tell({ kind: "avatar_state", state });
  };
  const people = (): void => {
    const everybody = [room.localParticipant, ...room.remoteParticipants.values()];
    const names = everybody.map((one) => [one.identity, one.name ?? ""] as const);
    tell({ kind: "people", names: Object.fromEntries(names) });
  };
  const followMicrophone = (): void => {
    const publication = room.localParticipant.getTrackPublication(Track.Source.Microphone);
    ears.meter.follow(
      publication?.isMuted === false ? publication.track?.mediaStreamTrack : undefined,
    );
  };
  const sources = (): void => {
    tell({ kind: "camera", on: room.localParticipant.isCameraEnabled });
    tell({ kind: "screen", on: room.localParticipant.isScreenShareEnabled });
    ears.stage.showSelf(room.localParticipant);
    followMicrophone();
  };

  room
    .on(RoomEvent.Reconnecting, () => tell({ kind: "line_broke" }))
    .on(RoomEvent.SignalReconnecting, () => tell({ kind: "line_broke" }))
    .on(RoomEvent.Reconnected, () => {
      avatarHere = false;
      came();
      tell({ kind: "line_mended" });
    })
    .on(RoomEvent.Disconnected, (reason) => {
      ears.meter.follow(undefined);
      if (ears.joined()) tell({ kind: "closed", ending: endingOf(reason) });
    })
    .on(RoomEvent.ParticipantConnected, people)
    .on(RoomEvent.ParticipantAttributesChanged, (_, participant) => {
      if (isAvatar(participant)) avatarState();
    })
    .on(RoomEvent.ParticipantDisconnected, (participant) => {
      people();
      if (!isAvatar(participant)) return;
      avatarHere = false;
      tell({ kind: "avatar_went" });
      came();
    })
    .on(RoomEvent.TrackSubscribed, (track: RemoteTrack, _publication, participant) => {
      if (!speaksForAvatar(participant)) {
        if (track.kind === Track.Kind.Audio) ears.stage.hear(track);
        return;
      }
      if (track.kind === Track.Kind.Video) {
        ears.stage.show(track);
        tell({ kind: "face", shown: true });
      } else {
        ears.stage.hear(track);
        came();
      }
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => {
      if (ears.stage.forget(track)) tell({ kind: "face", shown: false });
    })
    .on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
      if (topic !== LIVE_TOPIC || participant === undefined || !isAvatar(participant)) return;
      came();
      tell({ kind: "message", sender: participant.sid, json: decoder.decode(payload) });
    })
    .on(RoomEvent.AudioPlaybackStatusChanged, (playing) =>
      tell({ kind: "sound", blocked: !playing }),
    )
    .on(RoomEvent.LocalTrackPublished, sources)
    .on(RoomEvent.LocalTrackUnpublished, sources)
    .on(RoomEvent.TrackMuted, (_, participant) => {
      if (participant === room.localParticipant) sources();
    })
    .on(RoomEvent.TrackUnmuted, (_, participant) => {
      if (participant === room.localParticipant) sources();
    })
    .on(RoomEvent.ActiveDeviceChanged, followMicrophone)
    .on(RoomEvent.Connected, people);
  // a microphone pulled out or taken away ends its track; the client may find another one by itself
  room.localParticipant.on("localTrackPublished", (publication) => {
    if (publication.source !== Track.Source.Microphone) return;
    publication.track?.on("ended", () => {
      setTimeout(() => {
        if (!microphoneLives(room)) tell({ kind: "microphone_lost" });
      }, RECOVERY_MS);
    });
  });
}

function microphoneLives(room: Room): boolean {
  const publication = room.localParticipant.getTrackPublication(Track.Source.Microphone);
  return publication?.track?.mediaStreamTrack.readyState === "live";
}
