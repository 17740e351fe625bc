/** The room of this tab, kept in its session storage so that a reload finds it again. */

import { fields, id, parsed } from "../core/decode";
import type { Keepsake } from "../core/ports";

const KEY = "earwitness.room";

export function createKeepsake(storage: Storage): Keepsake {
  return {
    read: () => {
      const kept = fields(parsed(storage.getItem(KEY) ?? ""));
      const roomName = id(kept?.roomName);
      return roomName === undefined ? undefined : { roomName, sessionId: id(kept?.sessionId) };
    },
    write: (room) => {
      if (room === undefined) storage.removeItem(KEY);
      else storage.setItem(KEY, JSON.stringify(room));
    },
  };
}
