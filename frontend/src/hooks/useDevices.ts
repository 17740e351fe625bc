/** The devices to choose from, listed anew when one comes or goes, or when a permission was given. */

import { useCallback, useEffect, useState } from "react";
import type { Device } from "../core/talkState";
import {
  canChooseOutput,
  canShareScreen,
  type DeviceChoice,
  type DeviceKind,
  devicesOf,
  onDevicesChanged,
} from "../room/devices";
import type { LiveLine } from "../room/liveLine";

export interface DeviceList {
  readonly kind: DeviceKind;
  readonly choices: readonly DeviceChoice[];
  readonly chosen: string | undefined;
}

export interface Devices {
  readonly lists: readonly DeviceList[];
  readonly screenOffered: boolean;
  choose(kind: DeviceKind, deviceId: string): void;
}

const KINDS: readonly DeviceKind[] = ["audioinput", "audiooutput", "videoinput"];

export function useDevices(line: LiveLine, microphone: Device, camera: Device): Devices {
  const [lists, setLists] = useState<readonly DeviceList[]>([]);

  const look = useCallback(() => {
    const kinds = KINDS.filter((kind) => kind !== "audiooutput" || canChooseOutput());
    const asked = kinds.map(async (kind): Promise<DeviceList> => {
      const choices = await devicesOf(kind);
      return { kind, choices, chosen: line.chosen(kind) };
    });
    void Promise.all(asked).then((found) =>
      setLists(found.filter((list) => list.choices.length > 0)),
    );
  }, [line]);

  useEffect(() => onDevicesChanged(look), [look]);

  // names of devices appear once a permission was given
  const permissions = `${microphone.kind} ${camera.kind}`;
  useEffect(() => {
    if (permissions.includes("on") || permissions === "off off") look();
  }, [look, permissions]);

  const choose = useCallback(
    (kind: DeviceKind, deviceId: string) => {
      void line.choose(kind, deviceId).then(look);
    },
    [line, look],
  );
  return { lists, screenOffered: canShareScreen(), choose };
}
