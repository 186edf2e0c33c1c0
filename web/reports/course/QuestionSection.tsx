import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { formatNumber } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import classes from "#web/reports/course/Questions.module.css";
import { QuestionPeople } from "#web/reports/course/QuestionPeople.tsx";
import { useChosenAnswers } from "#web/reports/course/useChosenAnswers.ts";
import { shareOf } from "#shared/core/percent.ts";
import type { AnswerGroup, QuestionFigures } from "#shared/reports/questionFigures.ts";
import { reports } from "#shared/reports/reports.ts";

const PAGE_SIZE = 25;
const numbers = ["wrong", "stillWrong"] as const satisfies AnswerGroup[];

type Props = { id: string; companyId: string | null; groupId: string | undefined };
/** The questions of a course, the hardest first. Each number opens its people. Nothing without any answers. */
export function QuestionSection({ id, companyId, groupId }: Props) {
  const { t } = useTranslation();
  const [paging, setPaging] = useState({ page: 1, size: PAGE_SIZE });
  const { chosen, linkTo, close } = useChosenAnswers();
  const ofCompany = { ...(companyId && { companyId }), ...(groupId && { groupId }) };
  const query = { ...paging, ...ofCompany };
  const { data } = useQuery(pagedQueryFor(reports.questions, { params: { id }, query }));
  if (!data || data.total === 0) return null;
  const titleOf = (row: QuestionFigures) => row.question || row.key;
  const shown = data.items.find(({ sco, key }) => sco === chosen?.sco && key === chosen.key);
  return (
    <Section title={t("reports.report.questions.title")} side={t("reports.report.questions.side")}>
      <WideContent label={t("reports.report.questions.title")}>
        <Table className={classes.questions} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("reports.report.questions.question")}</Table.Th>
              <Table.Th ta="right" data-wide>
                {t("reports.report.questions.answered")}
              </Table.Th>
              <Table.Th>{t("reports.report.questions.groups.right")}</Table.Th>
              {numbers.map((group) => (
                <Table.Th key={group} ta="right">
                  {t(`reports.report.questions.groups.${group}`)}
                </Table.Th>
              ))}
              <Table.Th data-wide>{t("reports.report.questions.frequentWrong")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((row) => (
              <Table.Tr key={`${row.sco} ${row.key}`}>
                <Table.Td className={classes.question}>
                  {titleOf(row)}
                  <span className={classes.part}>{row.part}</span>
                </Table.Td>
                <Table.Td ta="right" data-wide>
                  <Num value={row.answered} />
                </Table.Td>
                <Table.Td>
                  {row.right + row.wrong > 0 ? (
                    <Meter percent={shareOf(row.right, row.right + row.wrong)} />
                  ) : (
                    <span className={classes.none}>{t("reports.report.questions.unjudged")}</span>
                  )}
                </Table.Td>
                {numbers.map((group) => (
                  <Table.Td key={group} ta="right" className={classes.figure}>
                    {row[group] > 0 ? (
                      <Link
                        to={linkTo({ sco: row.sco, key: row.key, group })}
                        preventScrollReset
                        aria-label={`${formatNumber(row[group])}: ${t("reports.report.questions.show", {
                          group: t(`reports.report.questions.groups.${group}`),
                          question: titleOf(row),
                        })}`}
                      >
                        <Num value={row[group]} />
                      </Link>
                    ) : (
                      <Num value={0} />
                    )}
                  </Table.Td>
                ))}
                <Table.Td className={classes.response} data-wide>
                  {row.frequentWrong
                    ? t("reports.report.questions.times", {
                        response: row.frequentWrong.response,
                        n: formatNumber(row.frequentWrong.n),
                      })
                    : "–"}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
      {data.total > PAGE_SIZE && (
        <TableFooter
          {...paging}
          total={data.total}
          noun={t("reports.report.questions.noun")}
          onChange={({ page = 1, size = paging.size }) => setPaging({ page, size })}
          embedded
        />
      )}
      {chosen && (
        <QuestionPeople
          key={`${chosen.sco} ${chosen.key} ${chosen.group}`}
          id={id}
          query={{ ...chosen, ...ofCompany }}
          title={shown ? titleOf(shown) : chosen.key}
          rightAnswer={shown?.rightAnswer ?? null}
          onClose={close}
        />
      )}
    </Section>
  );
}
