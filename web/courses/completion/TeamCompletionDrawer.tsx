import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { CompletionFrame } from "#web/courses/completion/CompletionFrame.tsx";
import { ConditionList } from "#web/courses/completion/ConditionList.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { formatDue } from "#web/core/format/format.ts";
import { completions } from "#shared/completions/completions.ts";

/** Which conditions of a course one of a manager's people meets. */
export function TeamCompletionDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryFor(completions.ofTeam, { params: { id: id ?? "" } }),
    enabled: id !== null,
  });
  return (
    <CompletionFrame
      opened={id !== null}
      shown={id === null ? undefined : data}
      error={error}
      onRetry={() => void refetch()}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <p className={classes.facts}>
            {shown.name}
            {shown.completedOn && `. ${t("completions.completedSince", { when: formatDue(shown.completedOn) })}`}
            {shown.isSetByAdmin && ` ${t("completions.setByAdmin")}.`}
          </p>
          <ConditionList tests={shown.tests} kind={shown.kind} />
          <p className={classes.facts} style={{ marginBlockStart: 14 }}>
            {t("completions.team")}
          </p>
        </>
      )}
    </CompletionFrame>
  );
}
