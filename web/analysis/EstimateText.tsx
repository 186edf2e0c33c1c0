import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { Estimate } from "#shared/analysis/analysisRuns.ts";
import { connectors } from "#shared/connectors/connectors.ts";

const MICROS = 1_000_000;
const MINUTE_MS = 60_000;

/** Estimate of an analysis: conversations, cost and time. */
export function EstimateText({ estimate, hasModel }: { estimate: Estimate | undefined; hasModel: boolean }) {
  const { t } = useTranslation();
  const currency = useQuery(queryFor(connectors.spending)).data?.currency ?? "EUR";
  const textOf = ({ conversations, tokens, costMicros, ms }: Estimate) => {
    if (conversations === 0) return t("analysis.runs.estimateNone");
    const amountText = t("analysis.runs.estimate", { count: conversations, tokens: formatNumber(tokens) });
    if (!hasModel) return amountText;
    const cost =
      costMicros === null
        ? t("analysis.runs.estimateUnpriced")
        : t("analysis.runs.estimateCost", { money: formatMoney(costMicros / MICROS, currency) });
    const time =
      ms === null
        ? t("analysis.runs.estimateNoTime")
        : t("analysis.runs.estimateTime", { count: Math.max(1, Math.ceil(ms / MINUTE_MS)) });
    return `${amountText}. ${cost}, ${time}.`;
  };
  return (
    <Text size="sm" c="dimmed" role="status">
      {estimate && textOf(estimate)}
    </Text>
  );
}
