import { indexAt } from "#web/reports/replay/replayClock.ts";
import type { ReplayIndex } from "#web/reports/replay/replayIndex.ts";
import type { Replay, ReplayStage } from "#shared/reports/replays.ts";
import type { PartKind } from "#shared/player/player.ts";
import { type FromShell, type ReviewSession, SHELL_CONNECT, SHELL_READY, type ToShell } from "#shared/player/shell.ts";

type Input = { stage: ReplayStage; replay: Replay; index: ReplayIndex; at: number; sco: string };

/**
 * Opens a part in the shell of the content origin with its values at a time. Returns a function that closes the
 * connection.
 */
export function openReview(frame: HTMLIFrameElement, { stage, replay, index, at, sco }: Input) {
  const part = stage.parts.find((one) => one.sco === sco);
  if (!stage.shell || !part?.href || part.kind === "lesson") return () => {};
  const { href, isSco, kind } = part;
  const origin = new URL(stage.shell).origin;
  let port: MessagePort | null = null;
  const onHandshake = (event: MessageEvent) => {
    if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.hello !== SHELL_READY) return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.addEventListener("message", ({ data }: MessageEvent<FromShell>) => {
      if (data.type !== "unsent") return;
      const open: ToShell = {
        type: "open",
        opening: 1,
        sco,
        href,
        isSco,
        values: { ...stage.values[sco], ...learnerOf(kind, replay) },
      };
      port?.postMessage(open);
    });
    port.start();
    const review: ReviewSession = {
      kind,
      variables: { ...stage.variables, declared: variablesAt(stage, index, at) },
      reviewId: crypto.randomUUID(),
    };
    frame.contentWindow?.postMessage({ hello: SHELL_CONNECT, review }, origin, [channel.port2]);
  };
  addEventListener("message", onHandshake);
  frame.src = stage.shell;
  return () => {
    removeEventListener("message", onHandshake);
    port?.close();
  };
}

/** The variables that the content may read, at a time. */
function variablesAt(stage: ReplayStage, { tracks }: ReplayIndex, at: number) {
  const byKey = new Map(tracks.map((track) => [track.variable.key, track]));
  return stage.variables.declared.map((declared) => {
    const track = byKey.get(declared.key);
    const change = track?.changes[indexAt(track.times, at)];
    return change && declared.access !== "write" ? { ...declared, value: change.after } : declared;
  });
}

/** The data model elements with the learner's name. */
const learnerOf = (kind: PartKind, { learner }: Replay): Record<string, string> =>
  kind === "scorm12"
    ? { "cmi.core.student_id": learner.id, "cmi.core.student_name": learner.name }
    : { "cmi.learner_id": learner.id, "cmi.learner_name": learner.name };
