import { Text } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { Selection } from "#web/core/table/table.ts";
import { toast } from "#web/core/toast/toast.ts";
import { assignmentToast, companyWords, courseWords, learnerWords } from "#web/courses/assign/assignmentToast.ts";
import { NotifyField } from "#web/courses/assign/NotifyField.tsx";
import { usePastDay } from "#web/courses/assign/usePastDay.tsx";
import { useUndo } from "#web/courses/assign/useUndo.ts";
import { type ChosenCourse, CourseSelect } from "#web/learners/CourseSelect.tsx";
import { DayInput } from "#web/learners/DayInput.tsx";
import { selectionBody } from "#web/learners/selectionBody.ts";
import { courses } from "#shared/courses/courses.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";
import { nameOf } from "#web/core/display/person.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Recipients: whole companies, including people who join later. */
  companies?: { id: string; name: string }[];
  /** Recipients: individual learners. */
  selection?: Selection<Learner>;
  /** The consequences, in numbers. */
  text?: string;
  onDone?: () => void;
};

/** Assigns published courses, with an optional due date and an email to those who get them. */
export function AssignDialog({ opened, onClose, title, companies = [], selection, text, onDone }: Props) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<ChosenCourse[]>([]);
  const [dueDate, setDueDate] = useState<string | null>(null);
  const [notify, setNotify] = useState(false);
  const [missing, setMissing] = useState(false);
  const pastDay = usePastDay(dueDate);
  const assignToCompanies = useApiMutation(courses.assignMany, { quiet: true });
  const assignToLearners = useApiMutation(learners.assign, { quiet: true });
  const assign = selection ? assignToLearners : assignToCompanies;
  const undoAction = useUndo();

  const courseIds = chosen.map(({ id }) => id);
  const companyIds = companies.map(({ id }) => id);
  const close = () => {
    setChosen([]);
    setDueDate(null);
    setNotify(false);
    setMissing(false);
    assign.reset();
    onClose();
  };
  const submit = async () => {
    setMissing(chosen.length === 0);
    if (!pastDay.confirm() || chosen.length === 0) return;
    const terms = { courseIds, dueDate, notify };
    const result = await (
      selection
        ? assignToLearners.mutateAsync({ body: { ...selectionBody(selection), ...terms } })
        : assignToCompanies.mutateAsync({ body: { companyIds, ...terms } })
    ).catch(() => null);
    if (!result) return;
    const [first] = selection?.rows ?? [];
    const what = courseWords(
      t,
      chosen.map(({ title }) => title),
    );
    const whom = selection
      ? learnerWords(t, selection.count, first && nameOf(first))
      : companyWords(
          t,
          companies.map(({ name }) => name),
        );
    const done = assignmentToast(t, result, { what, whom }, notify);
    toast.done(done.title, {
      text: done.text,
      action: undoAction(result.undoId, t("courses.assign.undone")),
    });
    onDone?.();
    close();
  };

  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      submitLabel={t("learners.assign.verb", { count: Math.max(1, chosen.length) })}
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
        onChange={(_ids, courses) => {
          setChosen(courses);
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
        description={t("learners.assign.dueHint")}
      />
      {pastDay.question}
      <NotifyField
        checked={notify}
        onChange={setNotify}
        assignment={{
          courseIds,
          dueDate,
          companyIds,
          userIds: selection ? selection.rows.slice(0, 1).map(({ id }) => id) : [],
        }}
      />
    </FormDialog>
  );
}
