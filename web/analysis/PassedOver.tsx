import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/analysis/runs.module.css";
import { useOpenConversation } from "#web/analysis/useOpenConversation.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import type { RunResult } from "#shared/analysis/analysisRuns.ts";

/** How many conversations the model could not read, with links to them. */
export function PassedOver({ run: { unread, passedOver } }: { run: RunResult }) {
  const { t } = useTranslation();
  const open = useOpenConversation();
  if (unread === 0) return null;
  return (
    <p className={classes.dim}>
      {t("analysis.runs.unread", { count: unread })}{" "}
      {passedOver.map(({ id, startedAt }, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <Anchor component="button" type="button" onClick={() => open(`/reports/chatbots?conversation=${id}`)}>
            {formatDateTime(startedAt)}
          </Anchor>
        </span>
      ))}
      {unread > passedOver.length && passedOver.length > 0 && " …"}
    </p>
  );
}
