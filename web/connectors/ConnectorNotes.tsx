import { Button } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatWait } from "#web/connectors/amounts.ts";
import classes from "#web/connectors/connectors.module.css";
import { formatAgo } from "#web/core/format/format.ts";
import type { Connector, TestResult } from "#shared/connectors/connectors.ts";

const abilities = [
  "chat",
  "streaming",
  "tools",
  "structured",
  "embeddings",
  "transcription",
  "speech",
  "usage",
] as const;

/** Shown below a connector: why it fails and what to do, or the result of the last test. */
export function ConnectorNotes({ connector, onEdit }: { connector: Connector; onEdit: () => void }) {
  const { t } = useTranslation();
  const { lastErrorCode, lastErrorAt, lastTest, state, fallbackCalls, kind, vectorSizes } = connector;
  const code = lastErrorCode ?? lastTest?.code ?? null;
  const at = lastErrorCode ? lastErrorAt : (lastTest?.at ?? null);
  if (state === "disabled" || state === "archived") return null;
  const changed = Object.entries(vectorSizes).find(([, { sent }]) => sent !== null);
  if (code !== null)
    return (
      <div className={classes.trouble} role="row">
        <span role="cell" className={classes.troubleWords}>
          <IconAlertCircle size={18} stroke={1.7} aria-hidden />
          <span>
            <strong>{t(`connectors.causes.${code}`)}</strong>{" "}
            {code === "vector_size" &&
              changed &&
              t("connectors.vectorSizes", { model: changed[0], sent: changed[1].sent, stored: changed[1].stored })}{" "}
            {t(`connectors.remedies.${code}`)}{" "}
            {fallbackCalls > 0 && t("connectors.fallbackAnswers", { count: fallbackCalls })}{" "}
            {at && <span className={classes.dim}>{formatAgo(at)}</span>}
          </span>
          {kind !== "builtin" && (
            <span className={classes.troubleActions}>
              <Button variant="default" size="compact-sm" h={30} px={12} onClick={onEdit}>
                {code === "bad_key" || code === "no_key" ? t("connectors.enterKey") : t("connectors.edit")}
              </Button>
              <Button
                variant="subtle"
                size="compact-sm"
                h={30}
                component={Link}
                to={`/admin/connectors?tab=calls&connectorId=${connector.id}`}
              >
                {t("connectors.showCalls")}
              </Button>
            </span>
          )}
        </span>
      </div>
    );
  if (!lastTest || kind === "builtin") return null;
  return <Passed test={lastTest} />;
}

function Passed({ test }: { test: TestResult }) {
  const { t } = useTranslation();
  const listOf = (result: "works" | "fails") =>
    abilities
      .filter((ability) => test[ability] === result)
      .map((ability) => t(`connectors.abilities.${ability}`))
      .join(", ");
  const working = t("connectors.working", { abilities: listOf("works") });
  const failing = listOf("fails");
  return (
    <div className={classes.passed} role="row">
      <span role="cell">
        <IconCircleCheck size={16} stroke={1.7} aria-hidden /> {working}{" "}
        {test.firstTokenMs !== null && t("connectors.workingFirst", { time: formatWait(test.firstTokenMs, t) })}{" "}
        {failing && <span className={classes.warn}>{t("connectors.notWorking", { abilities: failing })}</span>}
      </span>
    </div>
  );
}
