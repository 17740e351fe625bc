/** Short news above the message field. */

import type { Notice } from "../core/notices";
import { noticeWords } from "../core/troubleWords";
import { Icon } from "./Icon";

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly names: Readonly<Record<string, string>>;
  readonly dismiss: (key: number) => void;
}

export function Notices({ notices, names, dismiss }: NoticesProps) {
  return (
    <div className="notices" aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.key} className="notice" data-code={notice.code}>
          <p>{noticeWords(notice.code, notice.values, names)}</p>
          <button type="button" className="link" onClick={() => dismiss(notice.key)}>
            <Icon name="close" />
            <span className="sr">Dismiss</span>
          </button>
        </div>
      ))}
    </div>
  );
}
