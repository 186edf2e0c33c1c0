import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate, useParams, useSearchParams } from "react-router";
import { call } from "#web/core/api/api.ts";
import { ApiError, noAnswer } from "#web/core/api/http.ts";
import { useSession } from "#web/core/session/session.tsx";
import { clientId } from "#web/player/clientId.ts";
import { PlayerScreen } from "#web/player/PlayerScreen.tsx";
import { Reason } from "#web/player/Reason.tsx";
import { isOrphan, keepTails, replayJournal } from "#web/player/replay.ts";
import { type Launch, player } from "#shared/player.ts";
import type { UnsentBatch } from "#shared/shell.ts";
import { homeOf, type User } from "#shared/users.ts";

type State = { is: "opening" } | { is: "failed"; error: ApiError } | { is: "running"; launch: Launch };

/** `/launch/{companyId}/{courseId}`: the whole window belongs to one course (research/learning 3.5). */
export function LaunchPage() {
  const { companyId = "", courseId = "" } = useParams();
  const { user, settled } = useSession();
  if (!user) return null;
  if (user.role === "learner" && user.companyId !== companyId) return <Navigate to="/unauthorized" replace />;
  return settled ? (
    <Launching key={`${companyId} ${courseId}`} user={user} companyId={companyId} courseId={courseId} />
  ) : (
    <Reason busy />
  );
}

function Launching({ user, companyId, courseId }: { user: User; companyId: string; courseId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const [state, setState] = useState<State>({ is: "opening" });
  const begun = useRef(false);

  const open = useCallback(
    async function open({ takeOver = false, fresh = false, orphan = false } = {}) {
      setState({ is: "opening" });
      try {
        // What this browser still holds goes first, so that the course opens with everything that was done here.
        await Promise.race([replayJournal(user.id), new Promise((resolve) => setTimeout(resolve, 8000))]);
        const body = { clientId: clientId(), takeOver, fresh, orphan, viewport: `${innerWidth}x${innerHeight}` };
        setState({ is: "running", launch: await call(player.launch, { params: { companyId, courseId }, body }) });
      } catch (error) {
        const failure = error instanceof ApiError ? error : noAnswer();
        const deserted =
          failure.code === "player.openElsewhere" &&
          !takeOver &&
          (await isOrphan(user.id, String(failure.details.sessionId)).catch(() => false));
        if (deserted) await open({ takeOver: true, fresh, orphan: true });
        else setState({ is: "failed", error: failure });
      }
    },
    [user.id, companyId, courseId],
  );

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // Asked for once: a reload goes on with the new attempt instead of beginning another.
    const fresh = search.get("attempt") === "new";
    if (fresh) setSearch({}, { replace: true });
    void open({ fresh });
  }, [open, search, setSearch]);

  const leave = useCallback(
    (result?: { stored: boolean; courseId: string }) =>
      void navigate(user.role === "admin" ? `/courses/${courseId}` : homeOf(user), {
        state: result ? { left: result } : null,
      }),
    [navigate, user, courseId],
  );
  /** Words of a closed tab turned up after the launch: they go to the server, and the course opens again with them. */
  const catchUp = useCallback(
    async (tails: UnsentBatch[]) => {
      await keepTails(user.id, tails);
      await open({ takeOver: true, orphan: true });
    },
    [user.id, open],
  );

  if (state.is === "opening") return <Reason busy />;
  if (state.is === "running") {
    return (
      <PlayerScreen
        key={state.launch.sessionId}
        launch={state.launch}
        userId={user.id}
        onLeave={leave}
        onTails={catchUp}
        onTakeOver={() => void open({ takeOver: true })}
      />
    );
  }
  const { error } = state;
  if (error.code === "player.openElsewhere")
    return <Reason elsewhere={error.details} onGo={() => void open({ takeOver: true })} onBack={() => leave()} />;
  const offline = error.status === 0;
  const again = offline || error.status >= 500 ? () => void open() : undefined;
  const text = offline ? t("player.unavailable.offline") : error.message;
  return (
    <Reason
      title={t("player.unavailable.title")}
      text={text}
      onGo={again}
      onBack={() => leave()}
      admin={user.role === "admin"}
    />
  );
}
