/** The first visit: a name, or who one was before. A name never identifies anybody. */

import { type FormEvent, useId, useState } from "react";
import { safeName } from "../core/safeText";
import { signInWords } from "../core/troubleWords";
import type { Who } from "../core/who";

interface NameFormProps {
  readonly who: Extract<Who, { kind: "stranger" }>;
  readonly begin: (name: string) => void;
  readonly choose: (personId: string) => void;
}

export function NameForm({ who, begin, choose }: NameFormProps) {
  const [name, setName] = useState("");
  const field = useId();
  const trouble = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== "") begin(name);
  };
  return (
    <div className="panel">
      <h2>Welcome</h2>
      <p>How shall the avatar call you?</p>
      <form className="name-form" onSubmit={submit}>
        <label htmlFor={field}>Your name</label>
        <input
          id={field}
          name="name"
          dir="auto"
          value={name}
          autoComplete="given-name"
          maxLength={200}
          required
          aria-invalid={who.trouble !== undefined}
          aria-describedby={who.trouble === undefined ? undefined : trouble}
          onChange={(event) => setName(event.target.value)}
        />
        {who.trouble !== undefined && (
          <p id={trouble} className="form-trouble" role="alert">
            {signInWords(who.trouble)}
          </p>
        )}
        <button type="submit" className="button button--main" disabled={who.busy}>
          Start talking
        </button>
      </form>
      {who.people.length > 0 && (
        <fieldset className="people">
          <legend>You have been here before?</legend>
          <ul>
            {who.people.slice(0, 12).map((person) => (
              <li key={person.personId}>
                <button
                  type="button"
                  className="button"
                  disabled={who.busy}
                  onClick={() => choose(person.personId)}
                >
                  <bdi>{safeName(person.name)}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </div>
  );
}
