/** The conversation: committed turns in the order in which they were heard, then what is under way. */

import type { Conversation as State } from "../core/conversation";
import { beginning, safeText } from "../core/safeText";
import { useStickToEnd } from "../hooks/useStickToEnd";
import { OutgoingItem } from "./OutgoingItem";
import { TurnItem } from "./TurnItem";

interface ConversationProps {
  readonly conversation: State;
  readonly me: string | undefined;
  readonly names: Readonly<Record<string, string>>;
  readonly resend: (key: string) => void;
  readonly drop: (key: string) => void;
}

export function Conversation({ conversation, me, names, resend, drop }: ConversationProps) {
  const place = useStickToEnd(conversation);
  const { turns, interim, outgoing } = conversation;
  const empty = turns.length + interim.length + outgoing.length === 0;
  const nameOf = (speaker: string): string | undefined =>
    speaker === me || speaker === "person" ? undefined : (names[speaker] ?? "Guest");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" ref={place} tabIndex={0} aria-label="Conversation so far">
      {empty && <p className="empty">What you both say appears here, as it was heard.</p>}
      <div role="log" aria-label="Conversation" aria-relevant="additions">
        <ol className="turns">
          {turns.map((turn) => (
            <TurnItem
              key={turn.turnId}
              turn={turn}
              name={turn.kind === "person" ? nameOf(turn.speaker) : "Avatar"}
            />
          ))}
        </ol>
      </div>
      {interim.length + outgoing.length > 0 && (
        <ol className="turns turns--under-way" aria-label="On its way">
          {interim.map((item) => (
            <li key={item.utteranceId} className="turn interim" data-mine={item.speaker === me}>
              <span className="sr">Being heard: </span>
              <p dir="auto">{beginning(safeText(item.text))}</p>
            </li>
          ))}
          {outgoing.map((item) => (
            <OutgoingItem key={item.key} item={item} resend={resend} drop={drop} />
          ))}
        </ol>
      )}
    </section>
  );
}
