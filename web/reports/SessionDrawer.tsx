import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import classes from "#web/reports/SessionDrawer.module.css";
import { Timeline } from "#web/reports/Timeline.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useUser } from "#web/core/session/session.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { reports } from "#shared/reports/reports.ts";
import { isAdmin } from "#shared/core/users.ts";

/** The timeline of a session in a drawer; the session and the time are in the URL (`?session=ID&t=MS`). */
export function SessionDrawer() {
  const { t } = useTranslation();
  const times = useTimes();
  const [params, setParams] = useSearchParams();
  const admin = isAdmin(useUser());
  const id = params.get("session");
  const time = params.get("t");
  const close = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("session");
        after.delete("t");
        return after;
      },
      { preventScrollReset: true },
    );
  const { data, error, refetch } = useQuery({
    ...queryFor(reports.session, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });
  const session = data?.session;

  return (
    <Drawer
      opened={id !== null}
      onClose={close}
      position="right"
      size={620}
      padding="lg"
      title={<span className={classes.title}>{session?.course ?? t("reports.session.title")}</span>}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && session && (
        <>
          <p className={classes.facts}>
            {[
              data.learner,
              times.dateTime(session.startedAt),
              session.device,
              t("reports.session.active", { time: formatDuration(session.activeSeconds) }),
              session.endedAt
                ? t(`reports.endReasons.${session.endReason as "exit"}`, {
                    defaultValue: t("reports.endReasons.unknown"),
                  })
                : t("reports.endReasons.live"),
            ].join(", ")}
          </p>
          {admin && (
            <p className={classes.facts}>
              <Link to={replayPath(session.id)}>{t("replay.link")}</Link>
            </p>
          )}
          <Timeline
            key={id}
            events={data.events}
            parts={data.parts}
            questions={data.questions}
            replayOf={admin ? session.id : undefined}
            at={time === null || Number.isNaN(Number(time)) ? null : Number(time)}
          />
        </>
      )}
    </Drawer>
  );
}
