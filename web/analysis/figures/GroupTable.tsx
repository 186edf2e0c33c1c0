import { SegmentedControl, Table, Tooltip } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { CountedLink } from "#web/analysis/figures/CountedLink.tsx";
import { percentOf } from "#web/analysis/figures/FigureTiles.tsx";
import { formatMoney, formatWait } from "#web/connectors/amounts.ts";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import {
  type ConversationAnalytics,
  type CountedBy,
  type FigureRow,
  NONE,
} from "#shared/analysis/conversationAnalytics.ts";

const MICROS = 1_000_000;
const FIRST_ROWS = 10;
/** From this share of questions without an answer on, the share is shown as a warning. */
const MANY_UNANSWERED = 0.2;
const tables = {
  chatbots: { head: "chatbot", filter: "chatbotId" },
  companies: { head: "company", filter: "companyId" },
  courses: { head: "course", filter: "courseId" },
} as const;
const names = Object.keys(tables) as (keyof typeof tables)[];
type Column = "conversations" | "people" | "goal" | "thumbsUp" | "noAnswer" | "firstWord" | "cost" | GiveAway;
type GiveAway = "fullSolutions" | "partialSolutions" | "earlySolutions";
const giveAways: readonly GiveAway[] = ["fullSolutions", "partialSolutions", "earlySolutions"];
const figureOf: Partial<Record<Column, CountedBy["figure"]>> = {
  goal: "goal",
  thumbsUp: "thumbsUp",
  noAnswer: "noAnswer",
  fullSolutions: "fullSolutions",
  partialSolutions: "partialSolutions",
  earlySolutions: "earlySolutions",
  firstWord: "timed",
  cost: "cost",
};

/** True if the table also has columns for solutions that chatbots gave away, so that it needs the whole width. */
export const hasGiveAways = ({ chatbots }: ConversationAnalytics) =>
  chatbots.some((row) => giveAways.some((key) => row[key] !== null));

/** The figures by chatbot, company or course (in the URL); each links to its conversations. */
export function GroupTable({ data, currency }: { data: ConversationAnalytics; currency: string }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [isLong, setLong] = useState(false);
  const table = names.find((name) => name === params.get("by")) ?? "chatbots";
  const { head, filter } = tables[table];
  const rows: FigureRow[] = data[table];
  const columns: Column[] = [
    "conversations",
    "people",
    "goal",
    "thumbsUp",
    "noAnswer",
    ...giveAways.filter((key) => rows.some((row) => row[key] !== null)),
    "firstWord",
    "cost",
  ];
  const textOf = (row: FigureRow, column: Column) => {
    if (column === "firstWord") return row.firstWordMs === null ? null : formatWait(row.firstWordMs, t);
    if (column === "cost") return row.costMicros === 0 ? null : formatMoney(row.costMicros / MICROS, currency);
    if (column === "conversations" || column === "people") return formatNumber(row[column]);
    return row[column] === null ? null : percentOf(row[column]);
  };
  const nameOf = ({ name }: FigureRow) =>
    name || t(`analysis.analytics.${table === "courses" ? "noCourse" : "noCompany"}`);
  return (
    <Section
      title={t("analysis.analytics.figuresBy")}
      side={
        <SegmentedControl
          size="sm"
          aria-label={t("analysis.analytics.figuresBy")}
          value={table}
          onChange={(next) =>
            setParams(
              (before) => {
                const after = new URLSearchParams(before);
                if (next === "chatbots") after.delete("by");
                else after.set("by", next);
                return after;
              },
              { preventScrollReset: true },
            )
          }
          data={names.map((value) => ({ value, label: t(`analysis.analytics.${tables[value].head}`) }))}
        />
      }
    >
      <WideContent label={t("analysis.analytics.figuresBy")}>
        <Table className={classes.figures} horizontalSpacing={8} miw={600}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t(`analysis.analytics.${head}`)}</Table.Th>
              {columns.map((key) => (
                <Table.Th key={key} ta="right">
                  <Tooltip
                    label={t(`analysis.analytics.definitions.${key}`)}
                    multiline
                    maw={300}
                    events={{ hover: true, focus: true, touch: true }}
                  >
                    <span tabIndex={0}>{t(`analysis.analytics.${key}`)}</span>
                  </Tooltip>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, isLong ? rows.length : FIRST_ROWS).map((row) => {
              const only = { [filter]: row.id ?? NONE };
              return (
                <Table.Tr key={row.id}>
                  <Table.Td>
                    {table === "chatbots" ? (
                      <Link to={`/admin/chatbots/edit/${row.id}?tab=conversations`}>{row.name}</Link>
                    ) : (
                      nameOf(row)
                    )}
                  </Table.Td>
                  {columns.map((key) => {
                    const text = textOf(row, key);
                    const figure = figureOf[key];
                    return (
                      <Table.Td key={key} ta="right">
                        {text === null ? (
                          <span className={classes.muted}>{key === "cost" ? t("analysis.analytics.free") : "–"}</span>
                        ) : (
                          <CountedLink
                            isWarning={key === "noAnswer" && (row.noAnswer ?? 0) >= MANY_UNANSWERED}
                            by={{ ...only, ...(figure && { figure }) }}
                            label={`${nameOf(row)}, ${t(`analysis.analytics.${key}`)}: ${text}`}
                          >
                            {text}
                          </CountedLink>
                        )}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </WideContent>
      {rows.length > FIRST_ROWS && (
        <button type="button" className={classes.more} onClick={() => setLong(!isLong)}>
          {isLong ? t("analysis.analytics.fewer") : t("analysis.analytics.all", { count: rows.length })}
        </button>
      )}
    </Section>
  );
}
