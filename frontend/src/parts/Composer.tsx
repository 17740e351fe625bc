/** Writing instead of speaking. Enter sends, Shift and Enter makes a new line. */

import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { Icon } from "./Icon";

interface ComposerProps {
  readonly disabled: boolean;
  readonly send: (text: string) => void;
}

export function Composer({ disabled, send }: ComposerProps) {
  const [text, setText] = useState("");
  const field = useId();
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (disabled || text.trim() === "") return;
    send(text);
    setText("");
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className="composer" onSubmit={submit}>
      <label className="sr" htmlFor={field}>
        Message
      </label>
      <textarea
        id={field}
        dir="auto"
        rows={1}
        value={text}
        disabled={disabled}
        placeholder={disabled ? "Start talking to write" : "Write a message…"}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      <button type="submit" className="button button--round" disabled={disabled}>
        <Icon name="send" />
        <span className="sr">Send</span>
      </button>
    </form>
  );
}
