import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownTurn } from "#web/conversations/branch.ts";
import { createSentences } from "#web/conversations/sentences.ts";
import { isOpenState } from "#shared/conversations.ts";

/**
 * What a screen reader hears of an answer: each sentence once, as soon as it is whole. Answers that were there before are not read out.
 */
export function Announcer({ branch, name }: { branch: readonly ShownTurn[]; name: string }) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<{ id: string; sentences: string[] }>({ id: "", sentences: [] });
  const known = useRef<Set<string> | null>(null);
  const sentences = useRef<{ id: string; next: ReturnType<typeof createSentences> } | null>(null);
  const last = branch.at(-1)?.turn;
  useEffect(() => {
    known.current ??= new Set(branch.filter(({ turn }) => !isOpenState(turn.state)).map(({ turn }) => turn.id));
    if (!last || last.role === "user" || known.current.has(last.id)) return;
    const isDone = !isOpenState(last.state);
    if (isDone) known.current.add(last.id);
    if (sentences.current?.id !== last.id) sentences.current = { id: last.id, next: createSentences() };
    const added = sentences.current.next(last.text, isDone);
    if (added.length > 0)
      setSaid((now) => ({ id: last.id, sentences: now.id === last.id ? [...now.sentences, ...added] : added }));
  }, [branch, last]);
  return (
    <div
      role="log"
      aria-live="polite"
      aria-relevant="additions"
      aria-label={t("chat.announcements")}
      className="ly-hidden"
    >
      {said.sentences.map((sentence, at) => (
        <p key={`${said.id} ${at}`}>{at === 0 ? `${name}: ${sentence}` : sentence}</p>
      ))}
    </div>
  );
}
