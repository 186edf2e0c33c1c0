import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { call } from "#web/core/api/api.ts";
import { ApiError, networkError } from "#web/core/http/http.ts";
import { useSession } from "#web/core/session/session.tsx";
import { Unauthorized } from "#web/core/layout/Unauthorized.tsx";
import { clientId } from "#web/player/clientId.ts";
import { PlayerScreen } from "#web/player/PlayerScreen.tsx";
import { LaunchNotice } from "#web/player/LaunchNotice.tsx";
import type { OpenedLaunch } from "#web/player/session/playerSession.ts";
import { isOrphan, replayJournal } from "#web/player/session/replay.ts";
import { player } from "#shared/player/player.ts";
import { homeOf, type User } from "#shared/core/users.ts";

const LessonScreen = lazy(() =>
  import("#web/player/LessonScreen.tsx").then((module) => ({ default: module.LessonScreen })),
);

type State =
  { status: "opening" } | { status: "failed"; error: ApiError } | { status: "running"; launch: OpenedLaunch };

const REPLAY_TIMEOUT_MS = 8000;
/** How long a tab that was just closed may take to end before the learner is asked whether to continue here, in ms. */
const CLOSING_TAB_MS = 1000;

/** `/launch/{companyId}/{courseId}`: one course in the whole window. */
export function LaunchPage() {
  const { companyId = "", courseId = "" } = useParams();
  const { user, settled } = useSession();
  if (!user) return null;
  if (user.role === "learner" && user.companyId !== companyId) return <Unauthorized reason="launch" />;
  return settled ? (
    <CourseLauncher key={`${companyId} ${courseId}`} user={user} companyId={companyId} courseId={courseId} />
  ) : (
    <LaunchNotice busy />
  );
}

function CourseLauncher({ user, companyId, courseId }: { user: User; companyId: string; courseId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const [state, setState] = useState<State>({ status: "opening" });
  const hasStarted = useRef(false);
  const firstPart = useRef(search.get("part"));

  const open = useCallback(
    async function open({ takeOver = false, newAttempt = false, orphan = false } = {}) {
      setState({ status: "opening" });
      try {
        // Unsent events of this browser are sent first, so that the course opens with the latest state.
        await Promise.race([replayJournal(user.id), new Promise((resolve) => setTimeout(resolve, REPLAY_TIMEOUT_MS))]);
        const body = { clientId: clientId(), takeOver, newAttempt, orphan, viewport: `${innerWidth}x${innerHeight}` };
        const launch = await call(player.launch, { params: { companyId, courseId }, body });
        const wanted = launch.parts.find(({ sco, href }) => sco === firstPart.current && href !== null);
        firstPart.current = null;
        const opened = wanted ? { ...launch, current: wanted.sco, wanted: wanted.sco } : launch;
        setState({ status: "running", launch: opened });
      } catch (error) {
        const failure = error instanceof ApiError ? error : networkError();
        const isOwnOrphan =
          failure.code === "player.openElsewhere" &&
          !takeOver &&
          (await isOrphan(user.id, String(failure.details.sessionId), CLOSING_TAB_MS).catch(() => false));
        if (isOwnOrphan) await open({ takeOver: true, newAttempt, orphan: true });
        else setState({ status: "failed", error: failure });
      }
    },
    [user.id, companyId, courseId],
  );

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    // Removed from the URL, so that a reload continues where the learner was.
    const newAttempt = search.get("attempt") === "new";
    if (newAttempt || search.has("part")) setSearch({}, { replace: true });
    void open({ newAttempt });
  }, [open, search, setSearch]);

  const leave = useCallback(
    (result?: { stored: boolean; courseId: string }) =>
      void navigate(user.role === "admin" ? `/courses/${courseId}` : homeOf(user), {
        state: result ? { exit: result } : null,
      }),
    [navigate, user, courseId],
  );
  const continueHere = async (sessionId: string) =>
    open({ takeOver: true, orphan: await isOrphan(user.id, sessionId).catch(() => false) });
  /** Events of a closed tab were found after the launch: they are sent, and the course is launched again with them. */
  const sendUnsent = useCallback(
    async (sessionIds: string[]) => {
      await replayJournal(user.id, sessionIds);
      await open({ takeOver: true, orphan: true });
    },
    [user.id, open],
  );

  if (state.status === "opening") return <LaunchNotice busy />;
  if (state.status === "running") {
    const Screen = state.launch.lessons ? LessonScreen : PlayerScreen;
    return (
      <Suspense fallback={<LaunchNotice busy />}>
        <Screen
          key={state.launch.sessionId}
          launch={state.launch}
          userId={user.id}
          onLeave={leave}
          onUnsent={sendUnsent}
          onTakeOver={() => void open({ takeOver: true })}
        />
      </Suspense>
    );
  }
  const { error } = state;
  if (error.code === "player.openElsewhere")
    return (
      <LaunchNotice
        elsewhere={error.details}
        onContinue={() => void continueHere(String(error.details.sessionId))}
        onBack={() => leave()}
      />
    );
  const offline = error.status === 0;
  const retry = offline || error.status >= 500 ? () => void open() : undefined;
  const text = offline ? t("player.unavailable.offline") : error.message;
  return (
    <LaunchNotice
      title={t("player.unavailable.title")}
      text={text}
      onContinue={retry}
      onBack={() => leave()}
      admin={user.role === "admin"}
    />
  );
}
