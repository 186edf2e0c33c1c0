import { useEffect, useRef, useState } from "react";
import type { OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import type { LessonTools } from "#web/lessons/learner/lessonContext.ts";

/** After the end, in ms: the server has reached it too. */
const SURE_MS = 400;
/** The steady clock of a page stops while a laptop sleeps; then the clocks differ by more than this, in ms. */
const DRIFT_MS = 3000;

/** Time left in ms by the clock of the server; null without a limit. Hands the attempt in when it is over. */
export function useQuizClock(tools: LessonTools | null): number | null {
  const lesson = tools?.lesson;
  const open = lesson?.state.quiz?.open ?? null;
  const { view, readAt } = lesson?.quiz ?? {};
  const endsAt = open && open.pausedAt === null ? (view?.endsAt ?? null) : null;
  const left = () =>
    endsAt === null || !view ? null : Date.parse(endsAt) - Date.parse(view.now) - (performance.now() - (readAt ?? 0));
  const [, tick] = useState(0);
  const latest = useRef({ tools, left });
  useEffect(() => {
    latest.current = { tools, left };
  });
  const ended = useRef("");
  const key = `${lesson?.sco} ${open?.no}`;
  const isRunning = endsAt !== null;
  useEffect(() => {
    if (!isRunning) return;
    const began = Date.now() - performance.now();
    let drift = began;
    const check = () => {
      const now = latest.current;
      tick((n) => n + 1);
      const ms = now.left();
      if (Math.abs(Date.now() - performance.now() - drift) > DRIFT_MS) {
        drift = Date.now() - performance.now();
        now.tools?.refresh();
      }
      if (ms === null || ms > -SURE_MS || ended.current === key || now.tools?.readOnly) return;
      ended.current = key;
      const no = now.tools?.lesson.state.quiz?.open?.no;
      now.tools?.record({ type: "quiz.end", value: JSON.stringify({ attempt: no }) }, true);
    };
    const timer = setInterval(check, 500);
    const onVisible = () => {
      if (document.visibilityState === "visible") latest.current.tools?.refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [isRunning, key]);
  const ms = left();
  return ms === null ? null : Math.max(0, ms);
}

/** Time left in ms while the clock is stopped. */
export function pausedTime({ state, document, quiz }: OpenLesson) {
  const open = state.quiz?.open;
  if (!open?.endsAt || !open.pausedAt) return 0;
  const extra = (quiz?.view.minutes ?? 0) - (document.quiz?.minutes ?? 0);
  const endsAt = Date.parse(open.endsAt) + (extra - open.extraMinutes) * 60_000;
  return Math.max(0, endsAt - Date.parse(open.pausedAt));
}

/** `4:05` */
export function formatLeft(ms: number) {
  const seconds = Math.ceil(ms / 1000);
  const pad = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
