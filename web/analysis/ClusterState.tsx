import { useTranslation } from "react-i18next";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import type { QuestionCluster } from "#shared/analysis/questionClusters.ts";

const tones = { open: "warn", assigned: "active", answered: "ok", dismissed: "idle" } as const;

export function ClusterState({ status }: Pick<QuestionCluster, "status">) {
  const { t } = useTranslation();
  return <StatusDot tone={tones[status]}>{t(`analysis.unanswered.is.${status}`)}</StatusDot>;
}
