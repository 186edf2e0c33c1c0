import { useTranslation } from "react-i18next";
import { Pill } from "#web/core/display/Pill.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { daysUntil } from "#web/courses/daysUntil.ts";
import type { MyPathStep } from "#shared/paths/myPaths.ts";

/** A due date is marked from so many days before. */
const SOON_DAYS = 7;

/** When an open step is due; marked if that is soon or past. */
export function StepDue({ step: { state, dueDate, overdue } }: { step: MyPathStep }) {
  const { t } = useTranslation();
  if (state !== "open" || !dueDate) return null;
  const day = formatDate(dueDate);
  if (overdue) return <Pill tone="bad">{t("paths.mine.overdueSince", { day })}</Pill>;
  if (daysUntil(dueDate) <= SOON_DAYS) return <Pill tone="warn">{t("paths.mine.dueOn", { day })}</Pill>;
  return <span>{t("paths.mine.dueOn", { day })}</span>;
}
