import { useTranslation } from "react-i18next";
import { Colonnade } from "#web/core/display/Colonnade.tsx";
import type { ReportRow } from "#shared/reports/reportRows.ts";

/** The parts of the latest attempt as columns: done, the furthest that was opened, to do. */
export function PartColumns({ row, titles }: { row: ReportRow; titles: string[] }) {
  const { t } = useTranslation();
  const done = row.parts.filter(({ state }) => state === "done").length;
  const furthest = row.parts.findLast(({ state }) => state !== "done")?.position ?? null;
  const total = Math.max(titles.length, 1);
  const isCompleted = row.status === "completed";
  const where = furthest === null || isCompleted ? "" : `, ${titles[furthest - 1] ?? furthest}`;
  return (
    <Colonnade
      total={total}
      done={isCompleted ? total : done}
      current={isCompleted ? null : furthest}
      label={t("web.progress.parts", { count: total, done }) + where}
    />
  );
}
