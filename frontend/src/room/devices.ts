/** Microphones, cameras and loudspeakers of this browser, and why one of them does not open. */

import { MediaDeviceFailure, Room } from "livekit-client";
import type { DeviceReply, DeviceTrouble } from "../core/ports";

export type DeviceKind = "audioinput" | "videoinput" | "audiooutput";

export interface DeviceChoice {
  readonly deviceId: string;
  readonly label: string;
}

/** Names are empty until a permission was given; those devices are left out. */
export async function devicesOf(kind: DeviceKind): Promise<readonly DeviceChoice[]> {
  try {
    const found = await Room.getLocalDevices(kind, false);
    return found
      .filter((device) => device.label !== "" && device.deviceId !== "")
      .map(({ deviceId, label }) => ({ deviceId, label }));
  } catch {
    return [];
  }
}

/** Calls `changed` when something is plugged in or out. */
export function onDevicesChanged(changed: () => void): () => void {
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  devices?.addEventListener("devicechange", changed);
  return () => devices?.removeEventListener("devicechange", changed);
}

export function canChooseOutput(): boolean {
  return typeof HTMLMediaElement !== "undefined" && "setSinkId" in HTMLMediaElement.prototype;
}

export function canShareScreen(): boolean {
  return typeof navigator.mediaDevices?.getDisplayMedia === "function";
}

export function canCapture(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === "function";
}

/** Runs `open` and names what went wrong. */
export async function opened(open: () => Promise<unknown>): Promise<DeviceReply> {
  try {
    await open();
    return { ok: true };
  } catch (error) {
    return { ok: false, trouble: troubleOf(error) };
  }
}

function troubleOf(error: unknown): DeviceTrouble {
  switch (MediaDeviceFailure.getFailure(error)) {
    case MediaDeviceFailure.PermissionDenied:
      return "denied";
    case MediaDeviceFailure.NotFound:
      return "missing";
    case MediaDeviceFailure.DeviceInUse:
      return "busy";
    default:
      return "failed";
  }
}
