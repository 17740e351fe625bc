/** What stands over the face while nobody talks: who are you, start, wait, why not, try again. */

import type { TalkState } from "../core/talkState";
import type { HouseView } from "../core/watch";
import type { Who } from "../core/who";
import { callWords } from "../core/wording";
import { NameForm } from "../parts/NameForm";
import { StagePanel } from "../parts/StagePanel";
import { circumstances } from "./circumstances";
import type { TalkActions } from "./TalkView";

interface InvitationProps {
  readonly who: Who;
  readonly state: TalkState;
  readonly house: HouseView;
  readonly actions: TalkActions;
}

const GONE = {
  status: "Server gone",
  heading: "The server does not answer",
  detail:
    "Earwitness seems to have been stopped. Start it with “earwitness up”; this page notices.",
  actions: ["check_again"],
  busy: false,
  percent: undefined,
} as const;

export function Invitation({ who, state, house, actions }: InvitationProps) {
  switch (who.kind) {
    case "looking":
      return null;
    case "unreachable":
      return <StagePanel words={GONE} act={actions.lookAgain} />;
    case "stranger":
      return <NameForm who={who} begin={actions.begin} choose={actions.choosePerson} />;
    case "known":
      break;
  }
  if (state.call.kind === "talking") return null;
  const continues = state.room !== undefined && state.invitation === undefined;
  const words = callWords(state.call, circumstances(state, house));
  const resting = state.call.kind === "idle" || state.call.kind === "ended";
  return (
    <StagePanel words={words} act={actions.act}>
      {resting && continues && (
        <button type="button" className="link" onClick={actions.startFresh}>
          Begin a new conversation instead
        </button>
      )}
    </StagePanel>
  );
}
