import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { useModelChoices } from "#web/prompts/modelChoice.ts";
import classes from "#web/prompts/Playground.module.css";
import promptClasses from "#web/prompts/prompts.module.css";
import type { Try } from "#web/prompts/useTry.ts";
import { connectors } from "#shared/connectors/connectors.ts";

type Option = { value: string; label: string };
type Props = {
  state: Try;
  message: string;
  model: string;
  onModel: (model: string) => void;
  version: string;
  onVersion: (version: string) => void;
  versions: Option[];
};

/** The answer of one model to one version, with time and cost. */
export function TryColumn({ state, message, model, onModel, version, onVersion, versions }: Props) {
  const { t } = useTranslation();
  const models = useModelChoices();
  const { text, isRunning, failure } = state;
  return (
    <div className={classes.column}>
      <div className={classes.choices}>
        <Select
          flex={2}
          size="xs"
          aria-label={t("prompts.model")}
          allowDeselect={false}
          data={models}
          value={model}
          onChange={(next) => onModel(next ?? "")}
        />
        <Select
          flex={1}
          size="xs"
          aria-label={t("prompts.version")}
          allowDeselect={false}
          data={versions}
          value={version}
          onChange={(next) => next && onVersion(next)}
        />
      </div>
      <div className={classes.talk} role="log" aria-busy={isRunning}>
        {message === "" && <p className={promptClasses.dim}>{t("prompts.tryHint")}</p>}
        {message !== "" && <p className={classes.mine}>{message}</p>}
        {(text !== "" || isRunning) && (
          <p className={classes.answer}>
            {text}
            {isRunning && <span className={classes.caret} aria-hidden />}
          </p>
        )}
        {failure && (
          <p className={classes.failure} role="alert">
            {"message" in failure
              ? failure.message
              : `${t(`connectors.causes.${failure.code}`)} ${failure.text ?? t(`connectors.remedies.${failure.code}`)}`}
          </p>
        )}
      </div>
      <Facts state={state} />
    </div>
  );
}

function Facts({ state: { end, isRunning, model } }: { state: Try }) {
  const { t } = useTranslation();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  let facts: string[] = [];
  if (isRunning) facts = [model, t("prompts.writing")];
  else if (end) {
    const tokens = t(end.isEstimated ? "prompts.aboutTokens" : "prompts.tokens", {
      count: end.inputTokens + end.outputTokens,
    });
    facts = [
      ...(end.firstTokenMs === null ? [] : [t("prompts.toFirst", { time: formatWait(end.firstTokenMs, t) })]),
      t("prompts.inAll", { time: formatWait(end.totalMs, t) }),
      tokens,
      end.cost === null ? t("connectors.unpriced") : formatMoney(end.cost, spending?.currency ?? "EUR"),
      ...(end.reason === "stop" ? [] : [t(`prompts.reasons.${end.reason}`)]),
    ];
  }
  return (
    <p className={classes.facts}>
      {facts.filter(Boolean).map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}
