import { useEffect, useRef, useState } from "react";
import { messageOf } from "#web/core/http/messages.ts";
import { streamLines } from "#web/core/api/streamLines.ts";
import { prompts, type TryEvent } from "#shared/prompts/prompts.ts";
import type { BodyOf } from "#shared/core/route.ts";

type End = Extract<TryEvent, { type: "end" }>;
export type Try = {
  text: string;
  /** Name of the model that answers. */
  model: string;
  isRunning: boolean;
  end: End | null;
  failure: Extract<TryEvent, { type: "error" }> | { message: string } | null;
};
const nothing: Try = { text: "", model: "", isRunning: false, end: null, failure: null };

/** Runs a trial, and returns its answer while it is being written. */
export function useTry() {
  const [state, setState] = useState<Try>(nothing);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (
    body: Pick<BodyOf<typeof prompts.try>, "body" | "purpose" | "message"> & Partial<BodyOf<typeof prompts.try>>,
  ) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    const change = (next: (before: Try) => Partial<Try>) => {
      if (running.current === stop) setState((before) => ({ ...before, ...next(before) }));
    };
    setState({ ...nothing, isRunning: true });
    try {
      for await (const event of streamLines<TryEvent, typeof prompts.try>(prompts.try, { body }, stop.signal))
        change(({ text }) => {
          if (event.type === "start") return { model: `${event.connector}, ${event.model}` };
          if (event.type === "text") return { text: text + event.text };
          return event.type === "end" ? { end: event } : { failure: event };
        });
    } catch (error) {
      if (!stop.signal.aborted) change(() => ({ failure: { message: messageOf(error) } }));
    } finally {
      change(() => ({ isRunning: false }));
    }
  };
  return { state, run, stop: () => running.current?.abort() };
}
