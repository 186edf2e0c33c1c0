import { ActionIcon, Table } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/companies/page/CompanyCourses.module.css";
import { formatDueRange, formatPercent } from "#web/core/format/format.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import type { CompanyCourse } from "#shared/companies/companies.ts";
import { shareOf } from "#shared/core/percent.ts";

type Props = { companyId: string; rows: CompanyCourse[]; onRemove?: (row: CompanyCourse) => void };

/** Courses of a company; numbers link to the learners concerned. */
export function CompanyCourses({ companyId, rows, onRemove }: Props) {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const learnersUrl = (courseId: string, progress = "") =>
    `/companies/${companyId}?tab=learners&l.courseId=${courseId}${progress && `&l.progress=${progress}`}`;
  const percent = ({ completed, assigned }: CompanyCourse) => shareOf(completed, assigned);
  const dueDates = ({ dueFrom, dueTo }: CompanyCourse) => dueFrom && dueTo && formatDueRange(dueFrom, dueTo);
  const due = (row: CompanyCourse) => dueDates(row) ?? t("companies.noDue");

  const remove = (row: CompanyCourse) =>
    onRemove && (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t("companies.withdraw.label", { title: row.title })}
        title={t("companies.withdraw.label", { title: row.title })}
        onClick={() => onRemove(row)}
      >
        <IconTrash size={18} stroke={1.7} />
      </ActionIcon>
    );

  if (phone) {
    return (
      <ul className={classes.list}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            <div>
              <Link to={`/courses/${row.id}`} className={classes.course}>
                {row.title}
              </Link>
              <div className={classes.dim}>
                {t("companies.assignedCount", { count: row.assigned })},{" "}
                {row.dueFrom ? t("companies.dueOn", { dates: dueDates(row) }) : t("companies.dueNever")}
              </div>
            </div>
            <div className={classes.side}>
              <strong>{formatPercent(percent(row))}</strong>
              <div className={classes.dim}>
                {row.overdue > 0 && t("companies.overdueCount", { count: row.overdue })}
              </div>
            </div>
            {remove(row)}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("companies.course")}</Table.Th>
          <Table.Th ta="right">{t("companies.assigned")}</Table.Th>
          <Table.Th ta="right">{t("companies.completed")}</Table.Th>
          <Table.Th ta="right">{t("companies.overdue")}</Table.Th>
          <Table.Th>{t("companies.due")}</Table.Th>
          {onRemove && <Table.Th aria-label={t("core.actions")} />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Td>
              <Link to={`/courses/${row.id}`} className={classes.course}>
                {row.title}
              </Link>
            </Table.Td>
            <Table.Td ta="right">
              <Link to={learnersUrl(row.id)} className={classes.number}>
                <Num value={row.assigned} />
              </Link>
            </Table.Td>
            <Table.Td ta="right">
              <Meter percent={percent(row)} />
            </Table.Td>
            <Table.Td ta="right">
              {row.overdue ? (
                <Link to={learnersUrl(row.id, "overdue")} className={classes.number}>
                  <Num value={row.overdue} strong bad />
                </Link>
              ) : (
                <Num value={row.overdue} />
              )}
            </Table.Td>
            <Table.Td className={classes.dim}>{due(row)}</Table.Td>
            {onRemove && <Table.Td ta="right">{remove(row)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
