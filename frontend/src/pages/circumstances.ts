/** What the words for a call depend on, taken from what the page knows. */

import type { TalkState } from "../core/talkState";
import type { HouseView } from "../core/watch";
import type { Circumstances } from "../core/wording";

export function circumstances(state: TalkState, house: HouseView): Circumstances {
  return {
    continues: state.room !== undefined,
    invited: state.invitation !== undefined,
    avatar: state.conversation.avatar,
    parts: house.parts,
  };
}
