import { createActivityClock } from "#web/player/activity.ts";
import { createSender } from "#web/player/session/commitSender.ts";
import { fetchLesson } from "#web/player/fetchLesson.ts";
import { deleteSession, saveSession } from "#web/player/session/journal.ts";
import { createPackageStage } from "#web/player/session/packageStage.ts";
import { partOfRequest } from "#web/player/session/packageVisit.ts";
import { LAST_COMMIT_TIMEOUT_MS, type PlayerView } from "#web/player/session/playerSession.ts";
import { claimSession, findClosedSession } from "#web/player/session/replay.ts";
import { withTimeout } from "#web/player/withTimeout.ts";
import { createLessonBook, type OpenLesson } from "#web/lessons/learner/lessonBook.ts";
import { createRecorder } from "#web/shell/recorder.ts";
import type { Facts } from "#shared/conditions/evaluate.ts";
import type { Launch, Part, SessionEvent } from "#shared/player/player.ts";
import { createSessionVariables } from "#shared/player/sessionVariables.ts";

export type LessonView = PlayerView & {
  /** The open lesson; null while it is loading, and for a package. */
  lesson: OpenLesson | null;
  /** It could not be loaded. */
  hasFailed: boolean;
  facts: Facts;
};
/** Where packages among the lessons appear, and what happens when they ask for a chatbot. */
type PackagePlace = Pick<Parameters<typeof createPackageStage>[2], "createFrame" | "onChat">;
export type RecordInput = Pick<SessionEvent, "type" | "key" | "value">;

/** How long the content origin may take before the page says that it cannot be reached, in ms. */
const SHELL_TIMEOUT_MS = 15_000;
/** Until a lesson that could not be read is read again, in ms. */
const RETRY_MS = 2000;

/**
 * Runs a session of a course of lessons: this page numbers the events, and keeps them in the journal until the server
 * has them. While a package among the lessons is open, its shell numbers them and hands them over.
 */
export function runLessonSession(
  launch: Launch,
  userId: string,
  onView: (view: LessonView) => void,
  onUnsent: (sessionIds: string[]) => void,
  place: PackagePlace,
) {
  const release = claimSession(launch.sessionId);
  const clock = createActivityClock();
  const variables = createSessionVariables(launch.variables.declared);
  const book = createLessonBook(launch.lessons?.answers ?? {}, variables.valueOf);
  const startedAt = Date.now();
  let isStopped = false;
  let stored = 0;
  let view: LessonView = {
    save: { status: "ready" },
    attempt: launch.attempt,
    current: launch.current,
    ended: false,
    open: false,
    recording: false,
    lesson: null,
    hasFailed: false,
    facts: book.facts(),
  };
  const update = (changes: Partial<LessonView>) => {
    if (isStopped) return;
    view = { ...view, facts: book.facts(), ...changes };
    onView(view);
  };
  const showChanges = () => update({ lesson: book.get(view.current) ?? null });
  void saveSession({ sessionId: launch.sessionId, userId, token: launch.token, at: Date.now() }).catch(() => {});

  const sender = createSender(launch, {
    activeMs: clock.activeMs,
    onState: (save) => {
      if (save.status === "elsewhere" || save.status === "ended") packages.current()?.end();
      update({ save });
    },
    onJournaled: (seq) => packages.current()?.journaled(seq),
    onStored: (seq, { attempt, lessons }) => {
      packages.current()?.stored(seq, Math.round(clock.activeMs()));
      const unknown = book.settle(seq, lessons);
      update({ attempt, lesson: book.get(view.current) ?? null });
      stored = seq;
      for (const sco of unknown) void reread(sco, seq);
    },
  });
  const reread = async (sco: string, ackSeq: number) => {
    const lesson = await fetchLesson(launch, sco);
    if (isStopped) return;
    // Offline again: the next receipt names answers again; nothing else would go on in a quiz.
    if (!lesson) {
      if (book.get(sco)?.waiting) setTimeout(() => void reread(sco, ackSeq), RETRY_MS);
      return;
    }
    book.reread(sco, ackSeq, lesson);
    showChanges();
  };
  const recorder = createRecorder(startedAt, 0, {
    onRecorded: (event) => {
      variables.apply(event);
      book.apply(event);
    },
    send: (events, urgent) => {
      recorder.confirm(recorder.lastSeq());
      sender.add(events, urgent);
    },
  });

  /** What happens while a package hands the numbering back. */
  let waiting: (() => void)[] | null = null;
  const record = (...[event, isUrgent = false]: Parameters<typeof recorder.record>) => {
    const shell = packages.current();
    if (waiting) waiting.push(() => recorder.record(event, isUrgent));
    else if (shell) shell.record(event);
    else recorder.record(event, isUrgent);
  };
  const packages = createPackageStage(launch, userId, {
    ...place,
    connection: () => ({
      startedAt,
      lastSeq: recorder.lastSeq(),
      variables: { ...launch.variables, declared: variables.current() },
      completion: { rule: launch.course.rule, isComplete: view.attempt.completion === "complete" },
    }),
    onView: update,
    onEvents: (events, urgent) => {
      recorder.continueAfter(events.at(-1)?.seq ?? 0);
      for (const event of events) variables.apply(event);
      sender.add(events, urgent);
    },
    onReported: () => void sender.flush(),
    onActive: clock.touch,
    onNavigate: (request) => {
      const next = partOfRequest(launch.parts, view.current, request);
      if (next) open(next.sco);
      return next !== undefined;
    },
  });
  /** True if the page numbers the events again. */
  const leavePackage = async () => {
    waiting = [];
    const isHandedOver = await packages.close();
    const left = waiting;
    waiting = null;
    update({ ended: false, open: false, recording: false });
    if (isHandedOver) for (const work of left) work();
    return isHandedOver;
  };

  /** Parts are opened one after another, after the start; of several that were asked for meanwhile, the last. */
  let wanted: string | null = null;
  let opening: Promise<void> = Promise.resolve();
  /** The session is launched again with events that were found. */
  let isReplaced = false;
  const replace = (sessionIds: string[]) => {
    isReplaced = true;
    onUnsent(sessionIds);
  };
  const open = (sco: string) => {
    wanted = sco;
    opening = opening.then(() => (wanted === sco ? openPart(sco) : undefined)).catch(() => {});
  };
  const openPart = async (sco: string) => {
    const part = launch.parts.find((one) => one.sco === sco && one.href !== null);
    if (!part || isStopped || isReplaced) return;
    const isPackaged = packages.isPackaged(part);
    update({ current: sco, lesson: isPackaged ? null : (book.get(sco) ?? null), hasFailed: false });
    // Without its last events nobody knows how to go on numbering: the session is opened again with them.
    if (!packages.isOf(part) && !(await leavePackage())) return replace([launch.sessionId]);
    if (isStopped) return;
    await (isPackaged ? openPackage(part) : openLesson(sco));
  };
  const openPackage = async (part: Part) => {
    const sessionIds = await packages.open(part);
    if (sessionIds.length > 0 && !isStopped) replace(sessionIds);
  };
  const openLesson = async (sco: string) => {
    if (!book.get(sco)) {
      const lesson = await fetchLesson(launch, sco);
      if (isStopped || view.current !== sco) return;
      if (!lesson) return update({ hasFailed: true });
      if (!book.get(sco)) book.add(sco, lesson);
    }
    record({ type: "nav", sco });
    record({ type: "ready", sco });
    showChanges();
    void prefetch(sco);
  };
  /** The next lesson, so that a learner who loses the network can go on. */
  const prefetch = async (sco: string) => {
    const parts = launch.parts.filter(({ href }) => href !== null);
    const next = parts[parts.findIndex((part) => part.sco === sco) + 1];
    if (!next || packages.isPackaged(next) || book.get(next.sco)) return;
    const lesson = await fetchLesson(launch, next.sco);
    if (lesson && !book.get(next.sco)) book.add(next.sco, lesson);
  };
  const findClosed = async () => {
    if (packages.has) {
      const slow = setTimeout(() => update({ hasFailed: true }), SHELL_TIMEOUT_MS);
      const sessionIds = await packages.findUnsent(launch.parts.find(({ sco }) => sco === view.current));
      clearTimeout(slow);
      update({ hasFailed: false });
      return sessionIds;
    }
    const closed = await findClosedSession(launch, userId).catch(() => null);
    return closed ? [closed] : [];
  };
  const start = async () => {
    const sessionIds = await findClosed();
    if (isStopped) return;
    if (sessionIds.length > 0) return replace(sessionIds);
    record({ type: "launch", value: `${innerWidth}x${innerHeight}` });
    if (wanted === null) open(view.current);
  };
  opening = start();

  let isClosing = false;
  const onVisibilityChange = () => {
    if (isClosing) return;
    if (recorder.lastSeq() > 0) record({ type: "visibility", value: document.visibilityState }, true);
    // Components record what was watched in the same task.
    if (document.visibilityState === "hidden") queueMicrotask(() => queueMicrotask(() => void sender.flush()));
    else sender.flushIfOverdue();
  };
  const onPageHide = ({ persisted }: PageTransitionEvent) => {
    if (persisted) return;
    isClosing = true;
    queueMicrotask(() => queueMicrotask(() => sender.sendClosing()));
  };
  document.addEventListener("visibilitychange", onVisibilityChange);
  addEventListener("pagehide", onPageHide);

  const stop = () => {
    isStopped = true;
    packages.stop();
    sender.stop();
    clock.stop();
    release();
    document.removeEventListener("visibilitychange", onVisibilityChange);
    removeEventListener("pagehide", onPageHide);
  };
  return {
    open,
    /** After a lesson, or the shell of the packages, could not be loaded. */
    retry() {
      update({ hasFailed: false });
      if (recorder.lastSeq() === 0) packages.reconnect();
      else open(view.current);
    },
    /** Records an event of the open lesson. */
    record(input: RecordInput, isUrgent = false) {
      if (isStopped || view.save.status === "elsewhere" || view.save.status === "ended") return;
      record({ ...input, sco: view.current }, isUrgent);
      showChanges();
    },
    /** Reads the open lesson again. */
    refresh: () => void reread(view.current, stored),
    confirm() {
      record({ type: "confirm" }, true);
      setTimeout(() => void sender.flush(), 100);
    },
    stopRecording: packages.stopRecording,
    /** Stores the last events and ends the session. True if everything is stored on the server. */
    async exit(): Promise<boolean> {
      record({ type: "exit" });
      await leavePackage();
      const stored = (await withTimeout(LAST_COMMIT_TIMEOUT_MS, sender.flush("exit"))) ?? false;
      stop();
      if (stored) await deleteSession(launch.sessionId).catch(() => {});
      return stored;
    },
    stop,
  };
}
export type LessonSession = ReturnType<typeof runLessonSession>;
