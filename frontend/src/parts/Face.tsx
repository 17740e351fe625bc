/** The avatar's face, large; a quiet drawing stands in for it while there is no picture. */

import { useEffect, useRef } from "react";
import type { AvatarState } from "../core/wire";

/** Hangs a live picture into an element; returns how to take it down. */
export type Hang = (element: HTMLVideoElement) => () => void;

interface FaceProps {
  readonly shown: boolean;
  readonly mood: AvatarState;
  readonly hang: Hang;
}

export function Face({ shown, mood, hang }: FaceProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => (video.current === null ? undefined : hang(video.current)), [hang]);
  return (
    <>
      <video
        ref={video}
        className="face"
        aria-label="Avatar"
        data-shown={shown}
        autoPlay
        playsInline
        muted
      />
      {!shown && <Rings mood={mood} />}
    </>
  );
}

function Rings({ mood }: { mood: AvatarState }) {
  return (
    <svg className="rings" data-mood={mood} viewBox="0 0 200 200" aria-hidden="true">
      <circle className="rings-far" cx="100" cy="100" r="88" />
      <circle className="rings-mid" cx="100" cy="100" r="66" />
      <circle className="rings-near" cx="100" cy="100" r="44" />
      <path d="M82 112c-9-20 3-38 20-38 15 0 25 11 24 25-1 16-16 18-17 32-1 8-12 9-16 3 M95 100c1-9 15-9 15 0" />
    </svg>
  );
}
