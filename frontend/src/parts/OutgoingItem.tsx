/** A typed message on its way: not a turn until the avatar has it. */

import { assertNever } from "../core/assertNever";
import type { Outgoing } from "../core/conversation";
import { beginning, safeText } from "../core/safeText";
import { messageWords } from "../core/troubleWords";

interface OutgoingItemProps {
  readonly item: Outgoing;
  readonly resend: (key: string) => void;
  readonly drop: (key: string) => void;
}

export function OutgoingItem({ item, resend, drop }: OutgoingItemProps) {
  return (
    <li className="turn outgoing" data-speaker="person" data-mine="true" data-way={item.kind}>
      <span className="sr">You: </span>
      <p dir="auto">{beginning(safeText(item.text))}</p>
      <small className="outcome">{wayWords(item)}</small>
      {item.kind === "failed" && (
        <span className="outgoing-actions">
          <button type="button" className="link" onClick={() => resend(item.key)}>
            Send again
          </button>
          <button type="button" className="link" onClick={() => drop(item.key)}>
            Discard
          </button>
        </span>
      )}
    </li>
  );
}

function wayWords(item: Outgoing): string {
  switch (item.kind) {
    case "waiting":
      return "Will be sent when the avatar is here";
    case "sent":
      return "Sending…";
    case "failed":
      return messageWords(item.why);
    default:
      return assertNever(item);
  }
}
