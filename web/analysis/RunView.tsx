import { Button, Progress } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { CountBars } from "#web/analysis/figures/AnalyticsTables.tsx";
import { exportRun } from "#web/analysis/exportRun.ts";
import { PassedOver } from "#web/analysis/PassedOver.tsx";
import { QuoteCard } from "#web/analysis/QuoteCard.tsx";
import classes from "#web/analysis/runs.module.css";
import { RunComparisonTable } from "#web/analysis/RunComparisonTable.tsx";
import { RunState } from "#web/analysis/RunState.tsx";
import { ToneSection } from "#web/analysis/ToneSection.tsx";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { ConfirmButton } from "#web/core/dialog/ConfirmButton.tsx";
import { Meter } from "#web/core/display/Meter.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatDateTime, formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { analysisRuns, type RunResult } from "#shared/analysis/analysisRuns.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { roundPercent, shareOf } from "#shared/core/percent.ts";

const MICROS = 1_000_000;
const PERCENT = 100;
const isOpen = ({ state }: RunResult) => state === "waiting" || state === "running";

const sampleText = ({ sample }: RunResult, t: TFunction) => {
  if (sample.kind === "newest") return t("analysis.runs.sampleNewest", { count: sample.count });
  return sample.kind === "random" && t("analysis.runs.sampleRandom", { count: sample.count, seed: sample.seed });
};

/** One analysis: progress, statements with quotes, and counts. */
export function RunView({ id, addButton }: { id: string; addButton: ReactNode }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: run } = useSuspenseQuery(queryFor(analysisRuns.get, { params: { id } }));
  const currency = useQuery(queryFor(connectors.spending)).data?.currency ?? "EUR";
  const [selected, setSelected] = useState<number | null>(null);
  const update = useApiMutation(analysisRuns.update);
  const remove = useApiMutation(analysisRuns.remove, { quiet: true });
  const { statements, counts, hidden } = run;
  const shown = statements.find(({ number }) => number === selected) ?? statements[0];
  const usesModel = run.kind !== "counts";
  return (
    <>
      <PageHead
        title={run.title}
        parent={{ to: "/analysis/chatbot", label: t("analysis.runs.back") }}
        line={[t(`analysis.runs.kinds.${run.kind}`), run.chatbot, sampleText(run, t), formatDateTime(run.createdAt)]
          .filter(Boolean)
          .join(", ")}
        actions={
          <>
            <ConfirmButton
              confirmation={{
                title: t("analysis.runs.removeTitle", { title: run.title }),
                text: t("analysis.runs.removeText"),
                confirmLabel: t("analysis.runs.remove"),
                cancelLabel: t("analysis.runs.keep"),
                danger: true,
                onConfirm: async () => {
                  await navigate("/analysis/chatbot");
                  await remove.mutateAsync({ params: { id } });
                  toast.done(t("analysis.runs.removed"));
                },
              }}
            >
              {t("analysis.runs.remove")}
            </ConfirmButton>
            <Button
              variant="default"
              leftSection={<IconDownload size={17} stroke={1.7} />}
              disabled={
                statements.length + counts.unanswered.length + counts.phrases.length + (counts.tone?.messages ?? 0) ===
                0
              }
              onClick={() => exportRun(run, t)}
            >
              {t("analysis.runs.export")}
            </Button>
            {addButton}
          </>
        }
      />
      <RunProgress run={run} />
      <PassedOver run={run} />
      <StatTiles>
        <StatTile
          label={t("analysis.runs.read")}
          value={formatNumber(run.read - run.unread)}
          note={
            run.read === run.conversations && run.unread === 0
              ? t("analysis.runs.readNote")
              : t("analysis.runs.readOf", { total: formatNumber(run.conversations) })
          }
        />
        {usesModel ? (
          <>
            <StatTile
              label={t("analysis.runs.kept")}
              value={formatNumber(statements.length)}
              note={t("analysis.runs.dropped", { count: run.dropped })}
            />
            <StatTile
              label={t("analysis.runs.quotes")}
              value={formatNumber(run.quotes)}
              note={t("analysis.runs.wordForWord")}
            />
            <StatTile
              label={t("analysis.runs.spent")}
              value={formatMoney(run.spentMicros / MICROS, currency)}
              note={run.model ?? ""}
            />
          </>
        ) : (
          <>
            <StatTile label={t("analysis.runs.people")} value={formatNumber(counts.people)} />
            <StatTile
              label={t("analysis.runs.messages")}
              value={formatNumber(counts.messages)}
              note={t("analysis.runs.messagesNote")}
            />
            <StatTile label={t("analysis.runs.model")} value="–" note={t("analysis.runs.withoutModel")} />
          </>
        )}
      </StatTiles>
      {usesModel && (
        <div className={classes.two}>
          <Section title={t("analysis.runs.say")} side={t("analysis.runs.foundIn")}>
            {statements.length === 0 && !isOpen(run) && (
              <p className={classes.dim}>{t("analysis.runs.noStatements")}</p>
            )}
            <ul className={classes.statements}>
              {statements.map(({ number, text, detail, conversations, low, high }) => (
                <li key={number}>
                  <button
                    type="button"
                    className={classes.statement}
                    aria-pressed={number === shown?.number}
                    onClick={() => setSelected(number)}
                  >
                    <strong>{text}</strong>
                    <span className={classes.share}>
                      {t("analysis.runs.of", {
                        n: formatNumber(conversations),
                        total: formatNumber(run.remaining),
                      })}
                    </span>
                    <span className={classes.detail}>{detail}</span>
                    <span>
                      <Meter percent={shareOf(conversations, run.remaining)} hideText wide />
                      <span className={classes.interval}>
                        {t("analysis.runs.intervalShort", {
                          low: formatNumber(roundPercent(low * PERCENT)),
                          high: formatNumber(roundPercent(high * PERCENT)),
                        })}
                      </span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {hidden > 0 && <p className={classes.dim}>{t("analysis.runs.hidden", { count: hidden })}</p>}
          </Section>
          {shown && <QuoteCard title={t("analysis.runs.quotesFor", { number: shown.number })} evidence={shown} />}
        </div>
      )}
      <div className={classes.two}>
        <Section title={t("analysis.runs.unanswered")}>
          {counts.unanswered.length === 0 && <p className={classes.dim}>{t("analysis.runs.noUnanswered")}</p>}
          <ul className={classes.questions}>
            {counts.unanswered.map(({ question, times, others }) => (
              <li key={question}>
                <b>{formatNumber(times)}</b>
                <div>
                  {question}
                  {others.length > 0 && (
                    <div className={classes.dim}>{t("analysis.runs.alsoAs", { others: others.join(" · ") })}</div>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Section>
        <Section title={t("analysis.runs.phrases")} side={t("analysis.runs.counted")}>
          {counts.phrases.length === 0 && <p className={classes.dim}>{t("analysis.runs.noPhrases")}</p>}
          <CountBars
            rows={counts.phrases.map(({ text, conversations }) => ({
              label: text,
              count: conversations,
              note: t("analysis.runs.phraseNote", { count: conversations }),
            }))}
          />
        </Section>
      </div>
      {counts.tone && (
        <div className={classes.two}>
          <ToneSection counts={counts.tone} />
        </div>
      )}
      {run.state === "done" && <RunComparisonTable run={run} />}
      {run.state === "done" && run.newer > 0 && (
        <div className={classes.running}>
          <span>{t("analysis.runs.newer", { count: run.newer })}</span>
          <span />
          <Button
            variant="default"
            size="xs"
            loading={update.isPending}
            onClick={() => void update.mutateAsync({ params: { id } }).catch(() => {})}
          >
            {t("analysis.runs.update")}
          </Button>
        </div>
      )}
    </>
  );
}

function RunProgress({ run }: { run: RunResult }) {
  const { t } = useTranslation();
  const cancel = useApiMutation(analysisRuns.cancel);
  const resume = useApiMutation(analysisRuns.resume);
  const params = { id: run.id };
  if (run.state === "done") return null;
  const amounts = { read: formatNumber(run.read), total: formatNumber(run.conversations) };
  return (
    <div className={classes.running} role="status">
      <RunState state={run.state} />
      {isOpen(run) ? (
        <Progress value={shareOf(run.read, run.conversations) ?? 0} aria-label={t("analysis.runs.progress", amounts)} />
      ) : (
        <span>{t("analysis.runs.failedText", amounts)}</span>
      )}
      {isOpen(run) && <span className={classes.dim}>{t("analysis.runs.progress", amounts)}</span>}
      {isOpen(run) ? (
        <Button variant="default" size="xs" onClick={() => void cancel.mutateAsync({ params }).catch(() => {})}>
          {t("analysis.runs.cancel")}
        </Button>
      ) : (
        <Button size="xs" onClick={() => void resume.mutateAsync({ params }).catch(() => {})}>
          {t("analysis.runs.resume")}
        </Button>
      )}
    </div>
  );
}
