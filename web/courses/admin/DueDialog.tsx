import { Button, Group, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DueField } from "#web/courses/admin/DueField.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/api/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { courses, type Enrolment } from "#shared/courses.ts";

type Props = { opened: boolean; courseId: string; rows: Enrolment[]; onClose: () => void; onDone: () => void };

/** Sets or removes the due date of learners. */
export function DueDialog({ opened, rows, ...rest }: Props) {
  const { t } = useTranslation();
  const single = rows.length === 1 ? rows[0] : undefined;
  const title = single
    ? t("courses.due.title", { name: single.name || single.email })
    : t("courses.due.titleMany", { count: rows.length });
  return (
    <Modal
      opened={opened}
      onClose={rest.onClose}
      title={title}
      size={440}
      closeButtonProps={{ "aria-label": t("core.close") }}
    >
      <DueForm rows={rows} {...rest} />
    </Modal>
  );
}

function DueForm({ courseId, rows, onClose, onDone }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const dates = new Set(rows.map(({ dueDate }) => dueDate));
  const [day, setDay] = useState<string | null>(dates.size === 1 ? (rows[0]?.dueDate ?? null) : null);
  const setDue = useApiMutation(courses.setDue, {
    quiet: true,
  });
  const save = async () => {
    const { changed } = await setDue.mutateAsync({
      params: { id: courseId },
      body: { userIds: rows.map(({ userId }) => userId), dueDate: day },
    });
    onClose();
    onDone();
    toast.done(
      day
        ? t("courses.due.done", { count: changed, day: formatDate(day) })
        : t("courses.due.cleared", { count: changed }),
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
      {dates.size > 1 && (
        <Text c="dimmed" size="sm" mt="xs">
          {t("courses.due.mixed")}
        </Text>
      )}
      {setDue.error && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert">
          {messageOf(setDue.error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("core.cancel")}
        </Button>
        <Button type="submit" loading={setDue.isPending}>
          {day ? t("courses.due.set") : t("courses.due.remove")}
        </Button>
      </Group>
    </form>
  );
}
