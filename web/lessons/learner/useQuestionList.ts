import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { QuestionActions, QuestionList } from "#web/lessons/learner/questions/questionList.ts";

const FIELD =
  'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, [contenteditable="true"]';

/**
 * The questions in view, the one that the learner is at, and the keys: 1 to 9 choose, Enter checks. In fields, keys
 * write text.
 */
export function useQuestionList(ids: string[]) {
  const actions = useRef(new Map<string, QuestionActions>());
  const [active, setActive] = useState<string | null>(null);
  const [checkable, setCheckable] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const register = useCallback((id: string, given: QuestionActions) => {
    actions.current.set(id, given);
    const update = () => {
      const listed = [...actions.current.entries()];
      const pick = (is: (one: QuestionActions) => boolean) =>
        new Set(listed.filter(([, one]) => is(one)).map(([key]) => key));
      setCheckable((before) =>
        keepEqual(
          before,
          pick(({ canCheck }) => canCheck),
        ),
      );
      setOpen((before) =>
        keepEqual(
          before,
          pick(({ isOpen }) => isOpen),
        ),
      );
    };
    update();
    return () => {
      actions.current.delete(id);
      update();
    };
  }, []);
  const list = useMemo<QuestionList>(() => ({ ids, register, activate: setActive }), [ids, register]);
  const current = active !== null && ids.includes(active) ? active : null;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || target.matches(FIELD)) return;
      const asked = current ?? findInView(ids, open);
      const question = asked === null ? undefined : actions.current.get(asked);
      if (!question || asked === null) return;
      if (/^[1-9]$/.test(event.key)) {
        event.preventDefault();
        question.choose(Number(event.key) - 1);
      } else if (event.key === "Enter" && question.canCheck && !target.closest("button, a, summary")) {
        event.preventDefault();
        question.check();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [current, ids, open]);

  return {
    list,
    active: current,
    /** The question that can be checked now: the active one. */
    canCheck: current !== null && checkable.has(current),
    check: () => current !== null && actions.current.get(current)?.check(),
    activate: setActive,
  };
}

const keepEqual = (before: ReadonlySet<string>, next: ReadonlySet<string>) =>
  before.size === next.size && [...before].every((id) => next.has(id)) ? before : next;

/** The first open question that is in the window. */
function findInView(ids: string[], open: ReadonlySet<string>) {
  const found = ids.find((id) => {
    const box = document.querySelector(`[data-question="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    return open.has(id) && box && box.top < innerHeight * 0.75 && box.bottom > innerHeight * 0.1;
  });
  return found ?? null;
}
