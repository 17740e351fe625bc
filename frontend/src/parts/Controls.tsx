/** The row of buttons under the face. */

import type { Readable } from "../core/store";
import type { TalkState } from "../core/talkState";
import type { Devices } from "../hooks/useDevices";
import { DeviceMenu } from "./DeviceMenu";
import { HoldButton } from "./HoldButton";
import { Icon } from "./Icon";
import { LevelMeter } from "./LevelMeter";
import { Toggle } from "./Toggle";

export interface ControlActions {
  readonly toggleMute: () => void;
  readonly toggleCamera: () => void;
  readonly toggleScreen: () => void;
  readonly toggleMode: () => void;
  readonly toggleCaptions: () => void;
  readonly hold: () => void;
  readonly release: (canceled: boolean) => void;
  readonly leave: () => void;
}

interface ControlsProps {
  readonly state: TalkState;
  readonly captions: boolean;
  readonly level: Readable<number>;
  readonly devices: Devices;
  readonly actions: ControlActions;
}

export function Controls({ state, captions, level, devices, actions }: ControlsProps) {
  const { microphone, camera, screen, mode, call } = state;
  const push = mode === "push";
  const muted = microphone.kind !== "on";
  return (
    <div className="controls">
      {push && (
        <HoldButton
          holding={state.holding}
          disabled={call.kind !== "talking"}
          hold={actions.hold}
          release={actions.release}
        />
      )}
      <fieldset className="controls-row">
        <legend className="sr">Controls</legend>
        <div className="microphone">
          <Toggle
            name="Mute"
            icon={muted ? "muted" : "microphone"}
            pressed={muted}
            warns
            busy={microphone.kind === "asking"}
            disabled={push}
            hint={push ? "Hold to talk opens the microphone" : undefined}
            onToggle={actions.toggleMute}
          />
          <LevelMeter level={level} />
        </div>
        <Toggle
          name="Camera"
          icon="camera"
          pressed={camera.kind === "on"}
          busy={camera.kind === "asking"}
          onToggle={actions.toggleCamera}
        />
        <Toggle
          name="Share screen"
          icon="screen"
          pressed={screen.kind === "on"}
          busy={screen.kind === "asking"}
          disabled={!devices.screenOffered}
          onToggle={actions.toggleScreen}
        />
        <Toggle name="Push to talk" icon="hold" pressed={push} onToggle={actions.toggleMode} />
        <Toggle
          name="Captions"
          icon="captions"
          pressed={captions}
          onToggle={actions.toggleCaptions}
        />
        <DeviceMenu devices={devices} />
        <button type="button" className="control control--leave" onClick={actions.leave}>
          <Icon name="leave" />
          <span>Leave</span>
        </button>
      </fieldset>
    </div>
  );
}
