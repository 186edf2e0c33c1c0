import { useEffect, useEffectEvent, useRef } from "react";
import type { ShownTurn } from "#web/conversations/branch.ts";
import { isOpenState } from "#shared/conversations/conversations.ts";
import { createSentences, type Sentence } from "#shared/core/sentences.ts";

/**
 * Calls `onSentences` once with each sentence of a new answer, as soon as it is complete. Earlier answers are skipped.
 */
export function useNewSentences(
  branch: readonly ShownTurn[],
  onSentences: (turnId: string, sentences: Sentence[]) => void,
) {
  const finishedIds = useRef<Set<string> | null>(null);
  const sentences = useRef<{ id: string; next: ReturnType<typeof createSentences> } | null>(null);
  const tell = useEffectEvent(onSentences);
  const last = branch.at(-1)?.turn;
  useEffect(() => {
    finishedIds.current ??= new Set(branch.filter(({ turn }) => !isOpenState(turn.state)).map(({ turn }) => turn.id));
    if (!last || last.role === "user" || finishedIds.current.has(last.id)) return;
    const isDone = !isOpenState(last.state);
    if (isDone) finishedIds.current.add(last.id);
    if (sentences.current?.id !== last.id) sentences.current = { id: last.id, next: createSentences() };
    const added = sentences.current.next(last.text, isDone);
    if (added.length > 0) tell(last.id, added);
  }, [branch, last]);
}
