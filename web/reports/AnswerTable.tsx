import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { WideContent } from "#web/core/display/WideContent.tsx";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import classes from "#web/reports/CourseHistory.module.css";
import { useSessionLink } from "#web/reports/useSessionLink.ts";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { formatElapsed } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { useUser } from "#web/core/session/session.tsx";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { type LearnerReport, reports } from "#shared/reports/reports.ts";
import { isAdmin } from "#shared/core/users.ts";
import { MASKED_VALUE } from "#shared/variables/variables.ts";

const PAGE_SIZE = 25;
/** SCORM 1.2 uses "wrong", SCORM 2004 "incorrect"; 2004 also allows a number. */
const tones: Record<string, Tone> = {
  correct: "ok",
  wrong: "bad",
  incorrect: "bad",
  neutral: "idle",
  unanticipated: "idle",
};

/** The answers of an enrolment, with links to their time in the session. */
export function AnswerTable({ enrolmentId, attempts }: { enrolmentId: string; attempts: LearnerReport["attempts"] }) {
  const { t } = useTranslation();
  const times = useTimes();
  const linkTo = useSessionLink();
  const admin = isAdmin(useUser());
  const [query, setQuery] = useState({ page: 1, size: PAGE_SIZE });
  const { data, error, refetch } = useQuery(pagedQueryFor(reports.answers, { params: { id: enrolmentId }, query }));
  const change = ({ page = 1, size = query.size }) => setQuery({ page, size });
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className={classes.none}>{t("core.loading")}</p>;
  if (data.total === 0) return <p className={classes.none}>{t("reports.history.noAnswers")}</p>;
  const showsAttempt = attempts.length > 1;
  const attemptNumbers = new Map(attempts.map(({ id, no }) => [id, no]));

  return (
    <>
      <WideContent label={t("reports.history.answers")}>
        <Table highlightOnHover={false} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {showsAttempt && <Table.Th>{t("reports.history.no")}</Table.Th>}
              <Table.Th>{t("reports.answers.part")}</Table.Th>
              <Table.Th>{t("reports.answers.question")}</Table.Th>
              <Table.Th>{t("reports.answers.response")}</Table.Th>
              <Table.Th>{t("reports.answers.correct")}</Table.Th>
              <Table.Th>{t("reports.answers.result")}</Table.Th>
              <Table.Th>{t("reports.answers.when")}</Table.Th>
              <Table.Th>
                <span className="ly-hidden">{t("reports.answers.session")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((row, index) => (
              <Table.Tr key={index}>
                {showsAttempt && <Table.Td>{attemptNumbers.get(row.attemptId)}</Table.Td>}
                <Table.Td>
                  <div className={classes.words}>{row.part}</div>
                </Table.Td>
                <Table.Td>
                  <div className={classes.words}>{row.question || row.key || "–"}</div>
                </Table.Td>
                <Table.Td>
                  <div className={classes.words}>
                    {row.response === MASKED_VALUE ? t("replay.variables.masked") : row.response || "–"}
                  </div>
                </Table.Td>
                <Table.Td>
                  <div className={classes.words}>{row.correct || "–"}</div>
                </Table.Td>
                <Table.Td>
                  {row.result ? (
                    <StatusDot tone={tones[row.result] ?? "info"}>
                      {t(`reports.result.${row.result as "correct"}`, { defaultValue: row.result })}
                    </StatusDot>
                  ) : (
                    "–"
                  )}
                </Table.Td>
                <Table.Td>{times.dateTime(row.answeredAt)}</Table.Td>
                <Table.Td>
                  {row.sessionId && (
                    <Link
                      to={admin ? replayPath(row.sessionId, row.t) : linkTo(row.sessionId, row.t)}
                      preventScrollReset={!admin}
                      className={classes.open}
                    >
                      {admin && row.t !== null
                        ? t("replay.linkAt", { time: formatElapsed(row.t) })
                        : t("reports.answers.open")}
                      <span className="ly-hidden">: {row.question || row.key}</span>
                    </Link>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
      {data.total > PAGE_SIZE && (
        <TableFooter {...query} total={data.total} noun={t("reports.answers.noun")} onChange={change} embedded />
      )}
    </>
  );
}
