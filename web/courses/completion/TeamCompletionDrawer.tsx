import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { ConditionList } from "#web/courses/completion/ConditionList.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { formatDue } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { completions } from "#shared/completions/completions.ts";

/** Which conditions of a course one of a manager's people meets. */
export function TeamCompletionDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryFor(completions.ofTeam, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });
  const isComplete = data?.status === "completed";
  const title = data
    ? t(isComplete ? "completions.titleComplete" : "completions.title", { course: data.course })
    : t("completions.loading");
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      position="right"
      size={600}
      padding="lg"
      title={<span className={classes.title}>{title}</span>}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && (
        <>
          <p className={classes.facts}>
            {data.name}
            {data.completedOn && `. ${t("completions.completedSince", { when: formatDue(data.completedOn) })}`}
            {data.isSetByAdmin && ` ${t("completions.setByAdmin")}.`}
          </p>
          <ConditionList tests={data.tests} kind={data.kind} />
          <p className={classes.facts} style={{ marginBlockStart: 14 }}>
            {t("completions.team")}
          </p>
        </>
      )}
    </Drawer>
  );
}
