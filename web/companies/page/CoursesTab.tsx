import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { CompanyCourses } from "#web/companies/page/CompanyCourses.tsx";
import { useCompanyCourses } from "#web/companies/page/useCompanyCourses.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { useUndo } from "#web/courses/assign/useUndo.ts";
import { companies, type CompanyCourse, type CompanyRow } from "#shared/companies/companies.ts";

/** Courses of a company, with actions to assign and withdraw. */
export function CoursesTab({ company, onAssign }: { company: CompanyRow; onAssign: () => void }) {
  const { t } = useTranslation();
  const rows = useCompanyCourses(company.id);
  const undoAction = useUndo();
  const remove = useApiMutation(companies.removeCourse);
  const confirmWithdrawal = (row: CompanyCourse) =>
    confirm({
      title: t("companies.withdraw.title", { title: row.title, name: company.name }),
      text: t("companies.withdraw.text", { count: row.assigned - row.completed, completed: row.completed }),
      confirmLabel: t("companies.withdraw.verb"),
      cancelLabel: t("companies.withdraw.keep"),
      danger: true,
      onConfirm: async () => {
        const { undoId } = await remove.mutateAsync({ params: { id: company.id, courseId: row.id } });
        toast.done(t("companies.withdraw.done", { title: row.title, name: company.name }), {
          action: undoAction(undoId, t("courses.withdraw.undone")),
        });
      },
    });
  const assign = (
    <Button
      variant="default"
      leftSection={<IconPlus size={18} stroke={1.7} />}
      onClick={onAssign}
      disabled={company.status === "archived"}
    >
      {t("companies.assign")}
    </Button>
  );
  if (rows.length === 0)
    return <EmptyState title={t("companies.noCourses")} text={t("companies.noCoursesText")} action={assign} />;
  return (
    <Section title={t("companies.courseCount", { count: rows.length })} side={assign}>
      <CompanyCourses companyId={company.id} rows={rows} onRemove={confirmWithdrawal} />
    </Section>
  );
}
