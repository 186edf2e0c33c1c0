import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { BudgetDialog } from "#web/connectors/BudgetDialog.tsx";
import { BudgetSteps } from "#web/connectors/BudgetSteps.tsx";
import { ConnectorDialog } from "#web/connectors/ConnectorDialog.tsx";
import { ConnectorRow } from "#web/connectors/ConnectorRow.tsx";
import classes from "#web/connectors/connectors.module.css";
import { SpendingTiles } from "#web/connectors/SpendingTiles.tsx";
import { useConnectorActions } from "#web/connectors/useConnectorActions.ts";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { type Connector, connectors, isLanguageModel } from "#shared/connectors/connectors.ts";

/** Every connector with its state, speed, cost and budget; problems are shown below its row. */
export function ConnectorsTab() {
  const { t } = useTranslation();
  const list = useQuery(queryFor(connectors.list));
  const spending = useQuery(queryFor(connectors.spending));
  const actions = useConnectorActions();
  const [edited, setEdited] = useState<Connector | null>(null);
  const [budgeting, budget] = useDisclosure();
  const failure = list.error ?? spending.error;
  if (failure)
    return <ErrorPanel error={failure} onRetry={() => void Promise.all([list.refetch(), spending.refetch()])} />;
  if (!list.data || !spending.data) return <SkeletonRows rows={4} />;
  const { items } = list.data;
  const { currency } = spending.data;
  const inUse: Connector["state"][] = ["active", "failing", "paused"];
  const hasProvider = items.some(({ kind, state }) => isLanguageModel(kind) && inUse.includes(state));
  return (
    <>
      <SpendingTiles spending={spending.data} connectors={items} />
      <div className={classes.list} role="table" aria-label={t("connectors.title")}>
        <div className={classes.heads} role="row">
          {(["name", "state", "model", "firstWord", "spent", "budget"] as const).map((head) => (
            <span key={head} role="columnheader" data-cell={head}>
              {t(`connectors.heads.${head}`)}
            </span>
          ))}
          <span role="columnheader" className={classes.hidden}>
            {t("connectors.heads.actions")}
          </span>
        </div>
        {items.map((connector) => (
          <ConnectorRow
            key={connector.id}
            connector={connector}
            currency={currency}
            actions={actions}
            onEdit={() => setEdited(connector)}
          />
        ))}
      </div>
      {!hasProvider && (
        <div className={classes.first}>
          <strong>{t("connectors.first.title")}</strong>
          <p>{t("connectors.first.text")}</p>
        </div>
      )}
      {(hasProvider || spending.data.budget.limit !== null) && (
        <BudgetSteps used={spending.data.budget.used} hasLimit={spending.data.budget.limit !== null}>
          <Button variant="subtle" size="compact-sm" onClick={budget.open}>
            {t("connectors.low.change")}
          </Button>
        </BudgetSteps>
      )}
      {edited && <ConnectorDialog key={edited.version} connector={edited} onClose={() => setEdited(null)} />}
      {budgeting && <BudgetDialog spending={spending.data} onClose={budget.close} />}
    </>
  );
}
