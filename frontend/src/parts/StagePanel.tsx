/** What is said over the face while there is no conversation: heading, explanation, ways on. */

import type { ReactNode } from "react";
import { type Action, actionName, type Words } from "../core/wording";

interface StagePanelProps {
  readonly words: Words;
  readonly act: (action: Action) => void;
  readonly children?: ReactNode;
}

export function StagePanel({ words, act, children }: StagePanelProps) {
  return (
    <div className="panel">
      {words.busy && <span className="spinner" aria-hidden="true" />}
      <h2>{words.heading}</h2>
      <p>{words.detail}</p>
      {words.percent !== undefined && (
        <progress max={100} value={words.percent} aria-label="Loading">
          {words.percent} %
        </progress>
      )}
      <div className="panel-actions">
        {words.actions.map((action, at) => (
          <button
            key={action}
            type="button"
            className={at === 0 ? "button button--main" : "button"}
            onClick={() => act(action)}
          >
            {actionName(action)}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
