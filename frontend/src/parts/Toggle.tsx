/** A button that is on or off, with an icon and a word. */

import { Icon, type IconName } from "./Icon";

interface ToggleProps {
  readonly name: string;
  readonly icon: IconName;
  readonly pressed: boolean;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** On is a warning (muted), not a wish (camera on). */
  readonly warns?: boolean;
  readonly hint?: string | undefined;
  readonly onToggle: () => void;
}

export function Toggle(props: ToggleProps) {
  const { name, icon, pressed, busy = false, disabled = false, warns = false, hint } = props;
  return (
    <button
      type="button"
      className="control"
      data-warns={warns}
      aria-pressed={pressed}
      aria-busy={busy}
      disabled={disabled}
      title={hint}
      onClick={props.onToggle}
    >
      <Icon name={icon} />
      <span>{name}</span>
    </button>
  );
}
