/** Which microphone, loudspeaker and camera are used. */

import { type FocusEvent, type KeyboardEvent, useId } from "react";
import { assertNever } from "../core/assertNever";
import { safeText } from "../core/safeText";
import type { Devices } from "../hooks/useDevices";
import { Icon } from "./Icon";

type Kind = Devices["lists"][number]["kind"];

export function DeviceMenu({ devices }: { devices: Devices }) {
  const left = (event: FocusEvent<HTMLDetailsElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
  };
  const pressed = (event: KeyboardEvent<HTMLDetailsElement>): void => {
    if (event.key !== "Escape") return;
    event.currentTarget.open = false;
    event.currentTarget.querySelector("summary")?.focus();
  };
  return (
    <details className="devices" onBlur={left} onKeyDown={pressed}>
      <summary className="control">
        <Icon name="devices" />
        <span>Devices</span>
      </summary>
      <div className="devices-menu">
        {devices.lists.length === 0 && (
          <p>Names of devices appear once the browser has let this page use the microphone.</p>
        )}
        {devices.lists.map((list) => (
          <DeviceSelect key={list.kind} list={list} choose={devices.choose} />
        ))}
      </div>
    </details>
  );
}

interface DeviceSelectProps {
  readonly list: Devices["lists"][number];
  readonly choose: Devices["choose"];
}

function DeviceSelect({ list, choose }: DeviceSelectProps) {
  const field = useId();
  const known = list.choices.some((choice) => choice.deviceId === list.chosen);
  return (
    <p>
      <label htmlFor={field}>{kindName(list.kind)}</label>
      <select
        id={field}
        value={known ? list.chosen : list.choices[0]?.deviceId}
        onChange={(event) => choose(list.kind, event.target.value)}
      >
        {list.choices.map((choice) => (
          <option key={choice.deviceId} value={choice.deviceId}>
            {safeText(choice.label)}
          </option>
        ))}
      </select>
    </p>
  );
}

function kindName(kind: Kind): string {
  switch (kind) {
    case "audioinput":
      return "Microphone";
    case "audiooutput":
      return "Loudspeaker";
    case "videoinput":
      return "Camera";
    default:
      return assertNever(kind);
  }
}
