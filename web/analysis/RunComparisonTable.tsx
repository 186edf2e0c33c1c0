import { Select, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import classes from "#web/analysis/runs.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDateTime, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { analysisRuns, type RunComparison, type RunResult } from "#shared/analysis/analysisRuns.ts";

const FULL = 100;
type Item = RunComparison["items"][number];
type ToneItem = RunComparison["tone"][number];

/** Compares an analysis with another one of the same kind, which is named in the URL. */
export function RunComparisonTable({ run }: { run: RunResult }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const other = params.get("with");
  const runs = useQuery(queryFor(analysisRuns.list, { query: { size: 200 } })).data?.items ?? [];
  const choices = runs.filter(
    ({ id, kind, question, state }) =>
      id !== run.id && kind === run.kind && question === run.question && state === "done",
  );
  const { data, error, refetch } = useQuery({
    ...queryFor(analysisRuns.compare, { params: { id: run.id }, query: { with: other ?? run.id } }),
    enabled: other !== null,
  });
  if (choices.length === 0 && other === null) return null;
  const choose = (id: string | null) =>
    setParams(id ? { run: run.id, with: id } : { run: run.id }, { preventScrollReset: true });
  const partText = (part: number, whole: number) =>
    t("analysis.runs.shareOf", {
      share: formatPercent(whole === 0 ? null : (part / whole) * FULL),
      n: formatNumber(part),
      total: formatNumber(whole),
    });
  const shareText = (found: Item["now"], read: number) => (found ? partText(found.conversations, read) : "–");
  const toneText = (found: ToneItem["now"]) => (found ? partText(found.messages, found.of) : t("analysis.tone.hidden"));
  return (
    <div className={classes.compared}>
      <Section title={t("analysis.runs.compare")}>
        <Select
          aria-label={t("analysis.runs.compareWith")}
          placeholder={t("analysis.runs.compareWith")}
          clearable
          searchable
          maw={420}
          mb="md"
          value={other}
          onChange={choose}
          data={choices.map(({ id, title, createdAt }) => ({
            value: id,
            label: `${title}, ${formatDateTime(createdAt)}`,
          }))}
        />
        {error && <ErrorPanel error={error} title={t("analysis.runs.compareFailed")} onRetry={() => void refetch()} />}
        {data && other && (
          <>
            <SharesTable
              title={t("analysis.runs.csv.text")}
              times={[data.before.createdAt, data.now.createdAt]}
              rows={data.items.map((item) => ({
                name: item.text,
                note: item.textBefore && t("analysis.runs.saidBefore", { text: item.textBefore }),
                shares: [shareText(item.before, data.before.read), shareText(item.now, data.now.read)],
                item,
              }))}
            />
            <p className={classes.dim}>{t("analysis.runs.compareNote")}</p>
            {data.tone.length > 0 && (
              <>
                <SharesTable
                  title={t("analysis.tone.title")}
                  times={[data.before.createdAt, data.now.createdAt]}
                  rows={data.tone.map((item) => ({
                    name: t(`analysis.tone.${item.tone}`),
                    shares: [toneText(item.before), toneText(item.now)],
                    item,
                  }))}
                />
                <p className={classes.dim}>{t("analysis.tone.compareNote")}</p>
              </>
            )}
          </>
        )}
      </Section>
    </div>
  );
}

type Changed = Pick<Item | ToneItem, "change" | "difference">;
type SharesProps = {
  /** Heading of the first column. */
  title: string;
  times: [before: string, now: string];
  rows: { name: string; note?: string | null; shares: [before: string, now: string]; item: Changed }[];
};

/** Shares of two analyses side by side, and how they have changed. */
function SharesTable({ title, times, rows }: SharesProps) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={640} type="native">
      <Table aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            {times.map((time) => (
              <Table.Th key={time}>{formatDateTime(time)}</Table.Th>
            ))}
            <Table.Th>{t("analysis.runs.change")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ name, note, shares, item }, at) => (
            <Table.Tr key={at}>
              <Table.Td>
                {name}
                {note && <div className={classes.dim}>{note}</div>}
              </Table.Td>
              {shares.map((share, column) => (
                <Table.Td key={column}>{share}</Table.Td>
              ))}
              <Table.Td>
                <Change item={item} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** How the share has changed, in points with its interval. */
function Change({ item: { change, difference } }: { item: Changed }) {
  const { t } = useTranslation();
  if (change === null) return "–";
  return (
    <>
      <Pill tone={change === "same" ? "idle" : "info"}>{t(`analysis.runs.changes.${change}`)}</Pill>
      {difference && (
        <div className={classes.dim}>
          {t("analysis.runs.points", {
            points: formatNumber(difference.points * FULL, 1),
            low: formatNumber(difference.low * FULL, 1),
            high: formatNumber(difference.high * FULL, 1),
          })}
        </div>
      )}
    </>
  );
}
