import { Button, Group, MultiSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { assignmentToast, companyWords, courseWords, learnerWords } from "#web/courses/assign/assignmentToast.ts";
import { NotifyField } from "#web/courses/assign/NotifyField.tsx";
import { usePastDay } from "#web/courses/assign/usePastDay.tsx";
import { useUndo } from "#web/courses/assign/useUndo.ts";
import { DueField } from "#web/courses/admin/DueField.tsx";
import { LearnerPicker } from "#web/courses/admin/LearnerPicker.tsx";
import { useCompanies, useLearnerCount } from "#web/courses/admin/useCompanies.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import dialogClasses from "#web/core/dialog/FormDialog.module.css";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Course, courses as contract } from "#shared/courses/courses.ts";

type Props = {
  opened: boolean;
  courses: Pick<Course, "id" | "title" | "status">[];
  onClose: () => void;
  onDone?: () => void;
};

/** Assigns courses to companies and individual learners, with a common due date. */
export function AssignDialog({ opened, courses, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const assignable = courses.filter(({ status }) => status !== "archived");
  const title =
    assignable.length === 1
      ? t("courses.assign.title", { title: assignable[0]?.title })
      : t("courses.assign.titleMany", { count: assignable.length });
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={520} closeOnClickOutside={false}>
      <AssignForm courses={assignable} onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function AssignForm({ courses, onClose, onDone }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const companies = useCompanies();
  const assign = useApiMutation(contract.assignMany, {
    quiet: true,
  });
  const [companyIds, setCompanyIds] = useState<string[]>([]);
  const [userIds, setUserIds] = useState<string[]>([]);
  const [dueDate, setDueDate] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [notify, setNotify] = useState(false);
  const pastDay = usePastDay(dueDate);
  const undoAction = useUndo();
  const clearFailureAnd = (set: (ids: string[]) => void) => (ids: string[]) => {
    setFailure(null);
    set(ids);
  };

  const learnerCount = useLearnerCount(companyIds) + userIds.length;
  const titles = courses.map(({ title }) => title);
  const whom = () => {
    const names = companies.filter(({ id }) => companyIds.includes(id)).map(({ name }) => name);
    if (userIds.length === 0) return companyWords(t, names);
    const people = learnerWords(t, userIds.length);
    if (companyIds.length === 0) return people;
    return t("courses.assign.everyone", { companies: companyWords(t, names), learners: people });
  };
  const drafts = courses.filter(({ status }) => status === "draft").length;
  const run = async () => {
    if (companyIds.length + userIds.length === 0) return setFailure(t("courses.assign.noneChosen"));
    if (!pastDay.confirm()) return;
    const body = { courseIds: courses.map(({ id }) => id), companyIds, userIds, dueDate, notify };
    const result = await assign.mutateAsync({ body }).catch((error: unknown) => setFailure(messageOf(error)));
    if (!result) return;
    onClose();
    onDone?.();
    const done = assignmentToast(t, result, { what: courseWords(t, titles), whom: whom() }, notify);
    toast.done(done.title, { text: done.text, action: undoAction(result.undoId, t("courses.assign.undone")) });
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <Stack gap="md">
        <MultiSelect
          label={t("courses.assign.companies")}
          description={t("courses.assign.companiesHint")}
          placeholder={companyIds.length === 0 ? t("courses.assign.chooseCompanies") : ""}
          data={companies.map(({ id, name }) => ({ value: id, label: name }))}
          value={companyIds}
          onChange={clearFailureAnd(setCompanyIds)}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t("courses.assign.clearCompanies") }}
          nothingFoundMessage={t("web.table.noMatches")}
          data-autofocus
          maxDropdownHeight={240}
        />
        <LearnerPicker value={userIds} onChange={clearFailureAnd(setUserIds)} />
        <DueField
          value={dueDate}
          onChange={setDueDate}
          description={t("courses.assign.dueHint")}
          label={
            <>
              {t("courses.due.label")}{" "}
              <Text span c="dimmed" fw={400} fz="inherit">
                {t("core.optional")}
              </Text>
            </>
          }
        />
        {pastDay.question}
        <NotifyField
          checked={notify}
          onChange={setNotify}
          assignment={{ courseIds: courses.map(({ id }) => id), companyIds, userIds, dueDate }}
        />
        {drafts > 0 && (
          <Text c="dimmed" size="sm">
            {t("courses.assign.draft", { count: drafts })}
          </Text>
        )}
        {failure && (
          <Text c="var(--ly-bad)" size="sm" role="alert">
            {failure}
          </Text>
        )}
      </Stack>
      <Group className={dialogClasses.footer} justify="space-between" gap="xs">
        <Text c="dimmed" size="sm" aria-live="polite">
          {learnerCount > 0 && t("courses.assign.people", { count: learnerCount })}
        </Text>
        <Group gap="xs" ml="auto">
          <Button variant="default" onClick={onClose}>
            {t("core.cancel")}
          </Button>
          <Button type="submit" loading={assign.isPending}>
            {courses.length === 1
              ? t("courses.assign.course")
              : t("courses.assign.coursesCount", { count: courses.length })}
          </Button>
        </Group>
      </Group>
    </form>
  );
}
