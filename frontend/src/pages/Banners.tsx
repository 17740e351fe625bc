/** What needs attention beside the conversation, each with its way on. */

import { inCall } from "../core/call";
import type { TalkState } from "../core/talkState";
import { microphoneWords, pictureWords } from "../core/troubleWords";
import type { HouseView } from "../core/watch";
import { Banner } from "../parts/Banner";
import type { TalkActions } from "./TalkView";

interface BannersProps {
  readonly state: TalkState;
  readonly house: HouseView;
  readonly actions: TalkActions;
}

export function Banners({ state, house, actions }: BannersProps) {
  const { microphone, camera, screen, sound } = state;
  const retry = (act: () => void) => ({ name: "Try again", act });
  return (
    <div className="banners" aria-live="polite">
      {sound === "blocked" && (
        <Banner
          icon="sound"
          text="The browser holds back the sound until you allow it."
          action={{ name: "Enable sound", act: actions.enableSound }}
        />
      )}
      {microphone.kind === "failed" && (
        <Banner
          icon="muted"
          text={microphoneWords(microphone.trouble).long}
          action={retry(actions.openMicrophone)}
        />
      )}
      {camera.kind === "failed" && (
        <Banner icon="camera" text={pictureWords("camera", camera.trouble)} />
      )}
      {screen.kind === "failed" && (
        <Banner icon="screen" text={pictureWords("screen", screen.trouble)} />
      )}
      {house.reach === "gone" && inCall(state.call) && (
        <Banner
          icon="warning"
          text="The server does not answer. The call may go on for a while; this page notices when it is back."
        />
      )}
      {house.newer && (
        <Banner
          icon="warning"
          text="The server was updated, and this page is older than it."
          action={{ name: "Reload the page", act: () => actions.act("reload") }}
        />
      )}
    </div>
  );
}
