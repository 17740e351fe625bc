/** One thing that needs attention beside the conversation, with its way on. */

import { Icon, type IconName } from "./Icon";

interface BannerProps {
  readonly icon: IconName;
  readonly text: string;
  readonly action?: { readonly name: string; readonly act: () => void } | undefined;
}

export function Banner({ icon, text, action }: BannerProps) {
  return (
    <div className="banner">
      <Icon name={icon} />
      <p>{text}</p>
      {action !== undefined && (
        <button type="button" className="button" onClick={action.act}>
          {action.name}
        </button>
      )}
    </div>
  );
}
