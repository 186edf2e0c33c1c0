import { Text } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CourseSelect } from "#web/learners/CourseSelect.tsx";
import { DayInput } from "#web/learners/DayInput.tsx";
import { isPastDay } from "#web/learners/days.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { courses } from "#shared/courses.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Recipients: whole companies (including people who join later) or individual learners. */
  companyIds?: string[];
  userIds?: string[];
  /** The consequences, in numbers. */
  text?: string;
  onDone?: () => void;
};

/** Assigns published courses, with an optional due date. */
export function AssignDialog({ opened, onClose, title, companyIds = [], userIds = [], text, onDone }: Props) {
  const { t } = useTranslation();
  const [courseIds, setCourseIds] = useState<string[]>([]);
  const [dueDate, setDueDate] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const assign = useApiMutation(courses.assign, {
    quiet: true,
  });

  const close = () => {
    setCourseIds([]);
    setDueDate(null);
    setMissing(false);
    assign.reset();
    onClose();
  };
  const submit = async () => {
    setMissing(courseIds.length === 0);
    let [added, already] = [0, 0];
    for (const id of courseIds) {
      const reply = await assign
        .mutateAsync({ params: { id }, body: { companyIds, userIds, dueDate } })
        .catch(() => null);
      if (!reply) return;
      added += reply.added;
      already += reply.already;
      // Assigned courses are removed from the selection, so that after a failure only the others are sent again.
      setCourseIds((now) => now.filter((courseId) => courseId !== id));
    }
    if (courseIds.length === 0) return;
    const note = already > 0 ? t("learners.assign.already", { count: already }) : undefined;
    toast.done(
      added > 0 || companyIds.length === 0
        ? t("learners.assign.done", { count: added })
        : t("learners.assign.includesLaterJoiners"),
      { ...(note && { text: note }) },
    );
    onDone?.();
    close();
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      submitLabel={t("learners.assign.verb", { count: Math.max(1, courseIds.length) })}
      busy={assign.isPending}
      failure={assign.error}
      onSubmit={submit}
    >
      {text && <Text>{text}</Text>}
      <CourseSelect
        autoFocus
        label={t("learners.assign.courses")}
        value={courseIds}
        error={missing && t("learners.assign.missing")}
        onChange={(ids) => {
          setCourseIds(ids);
          setMissing(false);
        }}
      />
      <DayInput
        label={
          <Trans t={t} i18nKey="learners.assign.due" components={{ dim: <Text span inherit c="dimmed" fw={400} /> }} />
        }
        value={dueDate}
        onChange={setDueDate}
        placeholder={t("learners.assign.noDue")}
        description={
          dueDate && isPastDay(dueDate)
            ? t("learners.assign.past", { date: formatDate(dueDate) })
            : t("learners.assign.dueHint")
        }
      />
    </FormDialog>
  );
}
