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
import { analysisRuns, type RunComparison, type RunResult } from "#shared/analysisRuns.ts";

const FULL = 100;
type Item = RunComparison["items"][number];
type ToneItem = RunComparison["tone"][number];

/** An analysis beside another one of the same kind, which the address names. */
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
            <Table.ScrollContainer minWidth={640} type="native">
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("analysis.runs.csv.text")}</Table.Th>
                    <Table.Th>{formatDateTime(data.before.createdAt)}</Table.Th>
                    <Table.Th>{formatDateTime(data.now.createdAt)}</Table.Th>
                    <Table.Th>{t("analysis.runs.change")}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.items.map((item, at) => (
                    <Table.Tr key={at}>
                      <Table.Td>
                        {item.text}
                        {item.textBefore && (
                          <div className={classes.dim}>{t("analysis.runs.saidBefore", { text: item.textBefore })}</div>
                        )}
                      </Table.Td>
                      <Table.Td>{shareText(item.before, data.before.read)}</Table.Td>
                      <Table.Td>{shareText(item.now, data.now.read)}</Table.Td>
                      <Table.Td>
                        <Change item={item} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <p className={classes.dim}>{t("analysis.runs.compareNote")}</p>
            <Table.ScrollContainer minWidth={640} type="native">
              <Table aria-label={t("analysis.tone.title")}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("analysis.tone.title")}</Table.Th>
                    <Table.Th>{formatDateTime(data.before.createdAt)}</Table.Th>
                    <Table.Th>{formatDateTime(data.now.createdAt)}</Table.Th>
                    <Table.Th>{t("analysis.runs.change")}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.tone.map((item) => (
                    <Table.Tr key={item.tone}>
                      <Table.Td>{t(`analysis.tone.${item.tone}`)}</Table.Td>
                      <Table.Td>{toneText(item.before)}</Table.Td>
                      <Table.Td>{toneText(item.now)}</Table.Td>
                      <Table.Td>
                        <Change item={item} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <p className={classes.dim}>{t("analysis.tone.compareNote")}</p>
          </>
        )}
      </Section>
    </div>
  );
}

/** How the share has changed, in points with its interval. */
function Change({ item: { change, difference } }: { item: Pick<Item | ToneItem, "change" | "difference"> }) {
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
