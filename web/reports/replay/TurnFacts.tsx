import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { modelName } from "#web/connectors/modelName.ts";
import { queryFor } from "#web/core/api/api.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import type { ReplayTurn } from "#shared/reports/replays.ts";

/** Facts of an answer: model, passages, times to the first word and to the end, and cost; of a question, its button. */
export function TurnFacts({ turn }: { turn: ReplayTurn }) {
  const { t } = useTranslation();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const { button, model, passages, retrievalMs, costMicros, createdAt, firstAt, finishedAt } = turn;
  const waitUntil = (at: string) => formatWait(Date.parse(at) - Date.parse(createdAt), t);
  const facts = [
    button && t("replay.line.button", { label: button }),
    model && modelName(model, t),
    model && firstAt && t("replay.line.firstWord", { wait: waitUntil(firstAt) }),
    model && finishedAt && t("replay.line.total", { wait: waitUntil(finishedAt) }),
    passages !== null && t("replay.line.passages", { count: passages, wait: formatWait(retrievalMs ?? 0, t) }),
    costMicros !== null && costMicros > 0 && formatMoney(costMicros / 1e6, spending?.currency ?? "EUR"),
  ].filter((fact) => typeof fact === "string");
  return facts.length > 0 && <em>{facts.join(", ")}</em>;
}
