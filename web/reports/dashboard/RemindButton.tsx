import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { LazyRemindDialog } from "#web/courses/remind/lazyRemindDialog.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";

type Props = { values: Dashboard["attention"][number]["values"]; title: string; heading: string };

/** Reminds the learners of a company who are overdue in a course, by email. */
export function RemindButton({ values, title, heading }: Props) {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const target = { courseId: String(values.courseId), companyId: String(values.companyId) };
  return (
    <>
      <Button size="xs" onClick={open}>
        {t("courses.remind.action")}
        <span className="ly-hidden">: {heading}</span>
      </Button>
      <LazyRemindDialog
        opened={opened}
        onClose={close}
        title={t("courses.remind.titleAt", { company: String(values.company), title })}
        request={{ target }}
      />
    </>
  );
}
