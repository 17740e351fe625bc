/** The person's own camera, small and mirrored, as a mirror shows it. */

import { useEffect, useRef } from "react";
import type { Hang } from "./Face";

export function SelfView({ hang }: { hang: Hang }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => (video.current === null ? undefined : hang(video.current)), [hang]);
  return <video ref={video} className="self" aria-label="Your camera" autoPlay playsInline muted />;
}
