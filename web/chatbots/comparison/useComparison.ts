import { useCallback, useEffect, useRef, useState } from "react";
import { messageOf } from "#web/core/http/messages.ts";
import { streamLines } from "#web/core/api/streamLines.ts";
import {
  answerComparisons,
  type ComparedAnswer,
  type ComparisonEvent,
} from "#shared/conversations/answerComparisons.ts";

type Begin = Extract<ComparisonEvent, { type: "begin" }>;
type NotAsked = Extract<ComparisonEvent, { type: "notAsked" }>;
export type Comparison = {
  begin: Begin | null;
  /** The text received so far. */
  text: string;
  answer: ComparedAnswer | null;
  notAsked: NotAsked | null;
  isRunning: boolean;
  /** Message if the server could not be reached. */
  failure: string | null;
};
const nothing: Comparison = { begin: null, text: "", answer: null, notAsked: null, isRunning: true, failure: null };

function addEvent(before: Comparison, event: ComparisonEvent): Comparison {
  if (event.type === "begin") return { ...before, begin: event };
  if (event.type === "text") return { ...before, text: before.text + event.text };
  return event.type === "end" ? { ...before, answer: event.answer } : { ...before, notAsked: event };
}

/** Asks a question on mount, and again when `ask` is called. Unmounting or `stop` cancels the call. */
export function useComparison(questionId: string, answerId: string | null) {
  const [state, setState] = useState(nothing);
  const running = useRef<AbortController | null>(null);
  const ask = useCallback(async () => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const change = (next: (before: Comparison) => Comparison) => {
      if (running.current === stop) setState(next);
    };
    setState(nothing);
    const { compare } = answerComparisons;
    const sent = { params: { id: questionId }, body: { answerId } };
    try {
      for await (const event of streamLines<ComparisonEvent, typeof compare>(compare, sent, stop.signal))
        change((before) => addEvent(before, event));
    } catch (error) {
      if (!stop.signal.aborted) change((before) => ({ ...before, failure: messageOf(error) }));
    } finally {
      change((before) => ({ ...before, isRunning: false }));
    }
  }, [questionId, answerId]);
  useEffect(() => {
    void ask();
    return () => running.current?.abort();
  }, [ask]);
  return { state, ask, stop: () => running.current?.abort() };
}
