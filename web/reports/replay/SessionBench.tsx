import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { TimeZone } from "#web/core/format/TimeZone.tsx";
import { replayPath } from "#web/core/format/replayPath.ts";
import type { Cut } from "#web/reports/replay/Lanes.tsx";
import { ReplayBench } from "#web/reports/replay/ReplayBench.tsx";
import { ReplayHead } from "#web/reports/replay/ReplayHead.tsx";
import { indexReplay } from "#web/reports/replay/replayIndex.ts";
import { Stage } from "#web/reports/replay/Stage.tsx";
import type { ReplayData } from "#web/reports/replay/replayData.ts";
import { type Replay, replays } from "#shared/reports/replays.ts";

const ends = ["tab_closed", "timeout", "superseded", "revoked"] as const satisfies Cut[];

/** The replay of a session. */
export function SessionBench({ replay, data }: { replay: Replay; data: ReplayData }) {
  const { t } = useTranslation();
  const index = useMemo(() => indexReplay(replay, data, t), [replay, data, t]);
  const { session, learner } = replay;
  const { id } = session;
  const linkTo = useCallback((second: number) => location.origin + replayPath(id, second * 1000), [id]);
  const reveal = useApiMutation(replays.revealValues, { quiet: true, refetch: false });
  const reason = ends.find((one) => one === session.endReason);
  return (
    <ReplayBench
      index={index}
      linkTo={linkTo}
      cut={reason ?? (session.endedAt === null ? "live" : null)}
      texts={{
        slider: t("replay.slider"),
        empty: t("replay.empty"),
        emptyText: t("replay.emptyText", { count: Math.round(index.duration / 1000) }),
        noVariables: t("replay.variables.none"),
      }}
      name={learner.name}
      onReveal={(body) => reveal.mutateAsync({ params: { id }, body })}
      head={(clock) => (
        <TimeZone value={replay.zone}>
          <ReplayHead replay={replay} index={index} clock={clock} linkTo={linkTo} />
        </TimeZone>
      )}
      stage={(clock) => <Stage replay={replay} index={index} clock={clock} />}
    />
  );
}
