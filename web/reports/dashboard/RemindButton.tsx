import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";

type Props = { values: Dashboard["attention"][number]["values"]; heading: string };

/** Reminds the learners of a company who are overdue in a course, by email. */
export function RemindButton({ values, heading }: Props) {
  const { t } = useTranslation();
  const remind = useApiMutation(courses.remind);
  const send = async () => {
    try {
      const body = { companyId: String(values.companyId) };
      const { changed } = await remind.mutateAsync({ params: { id: String(values.courseId) }, body });
      toast.done(t("reports.attention.overdue.reminded", { count: changed, n: formatNumber(changed) }));
    } catch (error) {
      toast.failed(error);
    }
  };
  return (
    <Button size="xs" loading={remind.isPending} onClick={() => void send()}>
      {t("reports.attention.overdue.remind")}
      <span className="ly-hidden">: {heading}</span>
    </Button>
  );
}
