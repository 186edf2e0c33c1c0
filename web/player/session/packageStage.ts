import { closingSessionOf } from "#web/player/session/closingSession.ts";
import { openPackageVisit, type PackageVisit, type VisitView } from "#web/player/session/packageVisit.ts";
import { journalUnsentEvents } from "#web/player/session/replay.ts";
import { createPartValues } from "#web/player/session/partValues.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { Launch, Part, SessionEvent } from "#shared/player/player.ts";
import type { FromShell, ShellSession } from "#shared/player/shell.ts";

type Page = {
  /** An empty frame in the page, which is removed when the package is left. */
  createFrame: () => HTMLIFrameElement;
  /** The last number that the page has given to an event, and what the shell starts with. */
  connection: () => Pick<ShellSession, "lastSeq" | "completion" | "variables" | "startedAt">;
  onView: (changes: Partial<VisitView>) => void;
  onEvents: (events: SessionEvent[], urgent: boolean) => void;
  onReported: () => void;
  onActive: () => void;
  onChat: (request: Extract<FromShell, { type: "chat" }>) => void;
  onNavigate: (request: string) => boolean;
};
type OpenPackage = { lessonId: string; visit: PackageVisit; frame: HTMLIFrameElement; isConnected: boolean };

const isPackaged = ({ kind, href }: Part) => kind !== "lesson" && href !== null;
/** The lesson that the package of a part stands for. */
const lessonOf = ({ sco }: Part) => sco.slice(0, sco.indexOf("."));

/**
 * The packages among the lessons of a course. One is open at a time, in a shell of its own, which numbers the events
 * of the session from the moment it is connected until it is closed; before and after that the page does.
 */
export function createPackageStage(launch: Launch, userId: string, page: Page) {
  const partValues = createPartValues(launch);
  let opened: OpenPackage | null = null;
  /** Events of closed tabs are looked for once. Later, the shell finds those of this session, which the page has. */
  let isChecked = false;

  const connect = (kind: PackageKind, lessonId: string) =>
    new Promise<string[]>((resolve) => {
      const frame = page.createFrame();
      const onUnsent = async (message: Extract<FromShell, { type: "unsent" }>, received: () => void) => {
        const left = isChecked
          ? { ...message, unsent: message.unsent.filter(({ sessionId }) => sessionId !== launch.sessionId) }
          : message;
        const sessionIds = await journalUnsentEvents(launch, userId, left).catch(() => null);
        if (sessionIds) received();
        isChecked = true;
        resolve(sessionIds ?? []);
      };
      const visit = openPackageVisit(
        launch,
        kind,
        frame,
        () => {
          if (opened) opened.isConnected = true;
          return { ...page.connection(), closingSessionId: isChecked ? null : closingSessionOf(launch) };
        },
        {
          onView: page.onView,
          onUnsent: (message, received) => void onUnsent(message, received),
          onEvents: (events, urgent) => {
            for (const event of events) partValues.apply(event);
            page.onEvents(events, urgent);
          },
          onReported: page.onReported,
          onActive: page.onActive,
          onChat: page.onChat,
          onNavigate: page.onNavigate,
          valuesOf: partValues.open,
        },
      );
      opened = { lessonId, visit, frame, isConnected: false };
      frame.src = launch.shell;
    });

  const close = async (): Promise<boolean> => {
    if (!opened) return true;
    const { visit, frame } = opened;
    const isHandedOver = await visit.close();
    visit.stop();
    frame.remove();
    opened = null;
    return isHandedOver;
  };

  return {
    has: launch.parts.some(isPackaged),
    isPackaged,
    /** The open package, if its shell numbers the events now. */
    current: () => (opened?.isConnected ? opened.visit : null),
    /** Sessions of closed tabs whose events were left on the content origin. The shell stays open for `part`. */
    findUnsent: (part: Part | undefined) =>
      part && isPackaged(part) ? connect(part.kind as PackageKind, lessonOf(part)) : connect("html", ""),
    /** Loads the shell once more. */
    reconnect() {
      if (opened) opened.frame.src = launch.shell;
    },
    /** Opens a part; sessions of closed tabs whose events were found instead, if there are any. */
    async open(part: Part): Promise<string[]> {
      if (!opened) {
        const sessionIds = await connect(part.kind as PackageKind, lessonOf(part));
        if (sessionIds.length > 0) return sessionIds;
      }
      (opened as OpenPackage | null)?.visit.open(part);
      return [];
    },
    /** True if the open package is that of `part`, which then is another part of it. */
    isOf: (part: Part) => isPackaged(part) && opened?.lessonId === lessonOf(part),
    /** Leaves the package. False if its last events were not handed over in time: the session is to be opened again. */
    close,
    stopRecording: () => opened?.visit.stopRecording(),
    stop() {
      opened?.visit.stop();
      opened?.frame.remove();
      opened = null;
    },
  };
}
