/** One turn: what was heard, what is being said, and what was never said look different. */

import { assertNever } from "../core/assertNever";
import { holesShown } from "../core/letters";
import { safeName, safeText } from "../core/safeText";
import { type AvatarTurn, deliveryOf, type Span, spansOf, type Turn } from "../core/turns";

interface TurnItemProps {
  readonly turn: Turn;
  /** Undefined for the person at this page. */
  readonly name: string | undefined;
}

export function TurnItem({ turn, name }: TurnItemProps) {
  const delivery = deliveryOf(turn);
  return (
    <li
      className="turn"
      data-turn-id={turn.turnId}
      data-speaker={turn.kind}
      data-delivery={shownState(delivery.state)}
      data-evidence={delivery.evidence}
      data-mine={turn.kind === "person" && name === undefined}
      aria-busy={delivery.state === "pending"}
    >
      <span className={turn.kind === "person" && name === undefined ? "sr" : "speaker"}>
        {turn.kind === "avatar" ? "Avatar" : <bdi>{safeName(name ?? "You")}</bdi>}
        <span className="sr">: </span>
      </span>
      <p dir="auto">{turn.kind === "person" ? safeText(turn.text) : <AvatarText turn={turn} />}</p>
      {turn.kind === "avatar" && <Outcome turn={turn} />}
    </li>
  );
}

/** The page promises five words; the two rarer ways of never being said are one of them. */
function shownState(state: ReturnType<typeof deliveryOf>["state"]): string {
  return state === "canceled" || state === "superseded" ? "none" : state;
}

function AvatarText({ turn }: { turn: AvatarTurn }) {
  return spansOf(turn).map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
    <Piece key={at} span={span} />
  ));
}

function Piece({ span }: { span: Span }) {
  const text = safeText(holesShown(span.text));
  switch (span.kind) {
    case "heard":
      return <span className="heard">{text}</span>;
    case "saying":
      return <span className="saying">{text}</span>;
    case "ahead":
      return <span className="ahead">{text}</span>;
    case "never":
      return <Never text={text} />;
    case "unknown":
      return <span className="unsure">{text}</span>;
    default:
      return assertNever(span.kind);
  }
}

/** The space before the cut belongs to neither side; a line through it would look ragged. */
function Never({ text }: { text: string }) {
  const words = text.trimStart();
  return (
    <>
      {text.slice(0, text.length - words.length)}
      <del className="never">{words}</del>
    </>
  );
}

function Outcome({ turn }: { turn: AvatarTurn }) {
  const { state, how } = deliveryOf(turn);
  const words = outcomeWords(state, how);
  return words === undefined ? null : <small className="outcome">{words}</small>;
}

function outcomeWords(state: string, how: string | undefined): string | undefined {
  switch (state) {
    case "partial":
      return how === "interrupted" ? "Interrupted here" : "Cut short";
    case "none":
    case "canceled":
    case "superseded":
      return "Never said";
    case "unknown":
      return "Not known whether you heard this";
    default:
      return undefined;
  }
}
