import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/comparison/comparison.module.css";
import { SourceList } from "#web/chatbots/transcripts/SourceList.tsx";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { connectorAndModel } from "#web/connectors/modelName.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import type { ComparedAnswer } from "#shared/conversations/answerComparisons.ts";
import { connectors } from "#shared/connectors/connectors.ts";

/** Sources, versions, times and cost of an answer. */
export function AnswerFacts({ answer }: { answer: ComparedAnswer }) {
  const { t } = useTranslation();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const { version, prompt, connector, model, firstMs, totalMs, tokensIn, tokensOut, costMicros } = answer;
  const none = t("chatbots.compare.none");
  const costOf = () => {
    if (costMicros === null) return connector ? t("chatbots.compare.unpriced") : t("chatbots.compare.free");
    return costMicros === 0 ? t("chatbots.compare.free") : formatMoney(costMicros / 1e6, spending?.currency ?? "EUR");
  };
  const promptOf = () => {
    if (!prompt) return none;
    const { name, number } = prompt;
    return number === null
      ? t("chatbots.compare.promptUnknown", { name })
      : t("chatbots.compare.promptVersion", { name, number });
  };
  const facts: [string, string][] = [
    [
      t("chatbots.compare.version"),
      version === null ? t("chatbots.compare.draft") : t("chatbots.versionNumber", { number: version }),
    ],
    [t("chatbots.compare.prompt"), promptOf()],
    [t("chatbots.compare.model"), connector ? connectorAndModel(connector, model, t) : t("chatbots.compare.noModel")],
    [t("chatbots.compare.firstWord"), firstMs === null ? none : formatWait(firstMs, t)],
    [t("chatbots.compare.total"), totalMs === null ? none : formatWait(totalMs, t)],
    [
      t("chatbots.compare.tokens"),
      tokensIn === null || tokensOut === null
        ? none
        : t("chatbots.compare.tokenCounts", { in: formatNumber(tokensIn), out: formatNumber(tokensOut) }),
    ],
    [t("chatbots.compare.cost"), costOf()],
  ];
  return (
    <>
      <Sources answer={answer} />
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Passages answer={answer} />
    </>
  );
}

function Sources({ answer: { sources } }: { answer: ComparedAnswer }) {
  const { t } = useTranslation();
  return (
    <div className={classes.sources}>
      <h3>{t("chatbots.compare.sources")}</h3>
      {sources.length === 0 ? (
        <p className={classes.dim}>{t("chatbots.compare.none")}</p>
      ) : (
        <SourceList sources={sources} />
      )}
    </div>
  );
}

function Passages({ answer: { passages, retrievalMs } }: { answer: ComparedAnswer }) {
  const { t } = useTranslation();
  if (passages.length === 0) return <p className={classes.dim}>{t("chatbots.compare.noPassages")}</p>;
  return (
    <details className={classes.passages}>
      <summary>
        {t("chatbots.compare.passages", { count: passages.length, wait: formatWait(retrievalMs ?? 0, t) })}
      </summary>
      <ul>
        {passages.map(({ passageId, title, heading, page, score }) => (
          <li key={passageId}>
            <span>
              {title}
              <span className={classes.dim}>
                {" "}
                {[heading, page && t("chatbots.talks.page", { page })].filter(Boolean).join(", ")}
              </span>
            </span>
            <span className={classes.dim}>{formatNumber(score, 2)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
