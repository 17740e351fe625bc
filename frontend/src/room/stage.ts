/** Where remote tracks are seen and heard: the face, the voices, and a small picture of oneself. */

import { type LocalParticipant, type RemoteTrack, Track } from "livekit-client";

export interface Stage {
  /** Shows the avatar's face in this element, now and when it comes; returns how to stop. */
  faceIn(element: HTMLVideoElement): () => void;
  selfIn(element: HTMLVideoElement): () => void;
  show(track: RemoteTrack): void;
  hear(track: RemoteTrack): void;
  showSelf(person: LocalParticipant): void;
  /** Whether it was the face that went. */
  forget(track: RemoteTrack): boolean;
  clear(): void;
}

type Picture = Pick<RemoteTrack, "attach" | "detach">;

interface Frame {
  into(element: HTMLVideoElement): () => void;
  hang(next: Picture | undefined): void;
  holds(track: Picture): boolean;
}

function createFrame(): Frame {
  let picture: Picture | undefined;
  let place: HTMLVideoElement | undefined;
  const join = (): void => {
    if (picture !== undefined && place !== undefined) picture.attach(place);
  };
  const part = (): void => {
    if (picture !== undefined && place !== undefined) picture.detach(place);
  };
  return {
    into: (element) => {
      part();
      place = element;
      join();
      return () => {
        if (place !== element) return;
        part();
        place = undefined;
      };
    },
    hang: (next) => {
      if (next === picture) return;
      part();
      picture = next;
      join();
    },
    holds: (track) => track === picture,
  };
}

export function createStage(): Stage {
  const face = createFrame();
  const self = createFrame();
  const voices = new Map<RemoteTrack, HTMLMediaElement>();

  const silence = (track: RemoteTrack): void => {
    for (const element of track.detach()) element.remove();
    voices.delete(track);
  };

  return {
    faceIn: face.into,
    selfIn: self.into,
    show: face.hang,
    hear: (track) => {
      const element = track.attach();
      element.hidden = true;
      document.body.append(element);
      voices.set(track, element);
    },
    showSelf: (person) => {
      const camera = person.getTrackPublication(Track.Source.Camera);
      self.hang(camera?.isMuted === false ? camera.videoTrack : undefined);
    },
    forget: (track) => {
      if (voices.has(track)) silence(track);
      if (!face.holds(track)) return false;
      face.hang(undefined);
      return true;
    },
    clear: () => {
      for (const track of [...voices.keys()]) silence(track);
      face.hang(undefined);
      self.hang(undefined);
    },
  };
}
