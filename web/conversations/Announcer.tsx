import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownTurn } from "#web/conversations/branch.ts";
import { useNewSentences } from "#web/conversations/useNewSentences.ts";

type Props = {
  branch: readonly ShownTurn[];
  name: string;
  /** True if the answers are read aloud in another way. */
  isSilent: boolean;
};

/**
 * Announces answers to screen readers: each sentence once, as soon as it is complete. Earlier answers are not
 * announced.
 */
export function Announcer({ branch, name, isSilent }: Props) {
  const { t } = useTranslation();
  const [announced, setAnnounced] = useState<{ id: string; sentences: string[] }>({ id: "", sentences: [] });
  useNewSentences(branch, (id, sentences) => {
    if (isSilent) return;
    const added = sentences.map(({ text }) => text);
    setAnnounced((now) => ({ id, sentences: now.id === id ? [...now.sentences, ...added] : added }));
  });
  return (
    <div
      role="log"
      aria-live="polite"
      aria-relevant="additions"
      aria-label={t("chat.announcements")}
      className="ly-hidden"
    >
      {announced.sentences.map((sentence, at) => (
        <p key={`${announced.id} ${at}`}>{at === 0 ? `${name}: ${sentence}` : sentence}</p>
      ))}
    </div>
  );
}
