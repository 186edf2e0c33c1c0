import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { usePastDay } from "#web/courses/assign/usePastDay.tsx";
import { useUndo } from "#web/courses/assign/useUndo.ts";
import { DueField } from "#web/courses/admin/DueField.tsx";
import { enrolmentSelection } from "#web/courses/admin/useWithdraw.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import type { Selection } from "#web/core/table/table.ts";
import { toast } from "#web/core/toast/toast.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Enrolment } from "#shared/courses/enrolments.ts";

type Props = {
  opened: boolean;
  courseId: string;
  selection: Selection<Enrolment>;
  onClose: () => void;
  onDone: () => void;
};

/** Sets or removes the due date of learners. */
export function DueDialog({ opened, selection, ...rest }: Props) {
  const { t } = useTranslation();
  const single = selection.count === 1 ? selection.rows[0] : undefined;
  const title = single
    ? t("courses.due.title", { name: single.name || single.email })
    : t("courses.due.titleMany", { count: selection.count });
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={title} size={440}>
      <DueForm selection={selection} {...rest} />
    </Dialog>
  );
}

function DueForm({ courseId, selection, onClose, onDone }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const { rows, filter } = selection;
  const dates = new Set(rows.map(({ dueDate }) => dueDate));
  const hasOneDate = dates.size === 1 && !filter;
  const [day, setDay] = useState<string | null>(hasOneDate ? (rows[0]?.dueDate ?? null) : null);
  const setDue = useApiMutation(courses.setDue, {
    quiet: true,
  });
  const pastDay = usePastDay(day);
  const undoAction = useUndo();
  const save = async () => {
    if (!pastDay.confirm()) return;
    const { changed, undoId } = await setDue.mutateAsync({
      params: { id: courseId },
      body: { ...enrolmentSelection(selection), dueDate: day },
    });
    onClose();
    onDone();
    toast.done(
      day
        ? t("courses.due.done", { count: changed, day: formatDate(day) })
        : t("courses.due.cleared", { count: changed }),
      { action: undoAction(undoId, t("courses.due.undone")) },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save().catch(() => {});
      }}
    >
      <DueField value={day} onChange={setDay} data-autofocus />
      {pastDay.question && <div style={{ marginTop: 12 }}>{pastDay.question}</div>}
      {!hasOneDate && rows.length > 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          {t("courses.due.mixed")}
        </Text>
      )}
      {setDue.error && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert">
          {messageOf(setDue.error)}
        </Text>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          {t("core.cancel")}
        </Button>
        <Button type="submit" loading={setDue.isPending}>
          {day ? t("courses.due.set") : t("courses.due.remove")}
        </Button>
      </DialogFooter>
    </form>
  );
}
