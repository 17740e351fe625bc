/** Held while one speaks. The pointer is captured, so that sliding off the button ends nothing. */

import type { PointerEvent } from "react";
import { Icon } from "./Icon";

interface HoldButtonProps {
  readonly holding: boolean;
  readonly disabled: boolean;
  readonly hold: () => void;
  readonly release: (canceled: boolean) => void;
}

export function HoldButton({ holding, disabled, hold, release }: HoldButtonProps) {
  const pressed = (event: PointerEvent<HTMLButtonElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    hold();
  };
  return (
    <button
      type="button"
      className="hold"
      data-hold-to-talk
      data-holding={holding}
      disabled={disabled}
      onPointerDown={pressed}
      onPointerUp={() => release(false)}
      onPointerCancel={() => release(true)}
      onLostPointerCapture={() => release(false)}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name="hold" />
      <span>{holding ? "Listening while you hold" : "Hold to talk"}</span>
      <kbd>Space</kbd>
    </button>
  );
}
