import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { wallOf } from "#web/events/editor/eventValues.ts";
import { LocalTimeField } from "#web/events/editor/fields/LocalTimeField.tsx";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import type { AdminEventRow } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

const parts = ["description", "cover", "agenda", "speakers", "questions", "seats", "registration"] as const;
const WEEK_MS = 7 * 86_400_000;

/** Creates a draft from the chosen parts of an event, never with registrations. */
export function DuplicateDialog({
  event,
  opened,
  onClose,
}: {
  event: AdminEventRow;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [title, setTitle] = useState(event.title);
  const [startsLocal, setStarts] = useState(() => {
    let next = Date.parse(event.startsAt) + WEEK_MS;
    while (next < Date.now()) next += WEEK_MS;
    return wallOf(new Date(next).toISOString(), event.timezone);
  });
  const [chosen, setChosen] = useState<string[]>([...parts]);
  const copy = useApiMutation(events.duplicate, { quiet: true });
  const submit = async () => {
    const made = title.trim()
      ? await copy
          .mutateAsync({
            params: { id: event.id },
            body: { title: title.trim(), startsLocal, with: parts.filter((part) => chosen.includes(part)) },
          })
          .catch(() => null)
      : null;
    if (!made) return;
    toast.done(t("events.dialog.duplicated"));
    onClose();
    await navigate(`/admin/events/edit/${made.id}`);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t("events.dialog.duplicate")}
      submitLabel={t("events.actions.duplicate")}
      busy={copy.isPending}
      disabled={!title.trim()}
      failure={copy.error}
      onSubmit={submit}
    >
      <TextInput
        label={t("events.fields.title")}
        data-autofocus
        maxLength={200}
        value={title}
        onChange={(change) => setTitle(change.currentTarget.value)}
      />
      <LocalTimeField label={t("events.fields.startsLocal")} value={startsLocal} onChange={setStarts} />
      <Checkbox.Group label={t("events.dialog.include")} value={chosen} onChange={setChosen}>
        <Stack gap={8} mt={6}>
          {parts.map((part) => (
            <Checkbox key={part} value={part} size="sm" label={t(`events.duplicatePart.${part}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
