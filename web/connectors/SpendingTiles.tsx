import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import type { Connector } from "#shared/connectors/connectors.ts";
import type { Spending } from "#shared/connectors/spending.ts";
import { shareOf } from "#shared/core/percent.ts";

const isPaid = (kind: Connector["kind"]) => kind !== "builtin" && kind !== "local";

/** Cost of this month so far and projected, and figures on its calls. */
export function SpendingTiles({ spending, connectors }: { spending: Spending; connectors: Connector[] }) {
  const { t } = useTranslation();
  const { budget, currency, forecast, calls, failed, unpriced, firstTokenMs, slowFirstTokenMs } = spending;
  const [month] = useState(() =>
    new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(new Date()),
  );
  const failing = connectors.filter(({ state }) => state === "failing" || state === "paused").length;
  const limit = budget.limit === null ? null : formatMoney(budget.limit, currency);
  // The built-in connection costs nothing: without another one and without a limit there is nothing to watch.
  const costs = limit !== null || budget.spent > 0 || connectors.some(({ kind }) => isPaid(kind));
  const unpricedNote = unpriced > 0 ? t("connectors.unpricedCalls", { count: unpriced }) : null;
  return (
    <StatTiles>
      {costs && (
        <StatTile
          label={t("connectors.ledger.spent", { month })}
          value={formatMoney(budget.spent, currency)}
          note={limit ? t("connectors.ledger.ofBudget", { money: limit }) : t("connectors.ledger.noBudget")}
          bad={budget.used >= 1}
        />
      )}
      {costs && (
        <StatTile
          label={t("connectors.ledger.pace")}
          value={formatMoney(forecast, currency)}
          note={unpricedNote ?? t("connectors.ledger.by", { month })}
          bad={budget.limit !== null && forecast > budget.limit}
        />
      )}
      <StatTile
        label={t("connectors.ledger.calls")}
        value={formatNumber(calls)}
        note={
          failed > 0
            ? t("connectors.ledger.failed", { percent: formatPercent(shareOf(failed, calls)) })
            : t("connectors.ledger.noneFailed")
        }
        to="/admin/connectors?tab=calls"
      />
      <StatTile
        label={t("connectors.ledger.firstWord")}
        value={firstTokenMs === null ? "–" : formatWait(firstTokenMs, t)}
        note={slowFirstTokenMs !== null && t("connectors.ledger.slow", { time: formatWait(slowFirstTokenMs, t) })}
      />
      <StatTile
        label={t("connectors.ledger.failing")}
        value={failing}
        note={failing > 0 ? t("connectors.ledger.fallbackAnswers") : t("connectors.ledger.allWork")}
        bad={failing > 0}
      />
    </StatTiles>
  );
}
