import { Button, Stack, Text } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { markFirstField } from "#web/core/dialog/markFirstField.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Verb and noun: `Add company`. */
  submitLabel: string;
  /** Label of the safe choice; Cancel by default. */
  cancelLabel?: string;
  onSubmit: () => unknown;
  busy?: boolean;
  disabled?: boolean;
  danger?: boolean;
  /** An error that belongs to no field. */
  failure?: unknown;
  size?: number;
  children: ReactNode;
};

/**
 * A form in a dialog, which opens with the focus on its first field. A click outside does not close it; after a failed
 * submission the first invalid field gets the focus.
 */
export function FormDialog({
  opened,
  onClose,
  title,
  submitLabel,
  cancelLabel,
  onSubmit,
  busy,
  disabled,
  danger,
  failure,
  size = 520,
  children,
}: Props) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const form = event.currentTarget;
    await onSubmit();
    focusFirstError(form);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size} closeOnClickOutside={false}>
      <form ref={markFirstField} noValidate onSubmit={(event) => void submit(event)}>
        <Stack gap="md">{children}</Stack>
        {failure !== undefined && failure !== null && (
          <Text c="var(--ly-bad)" size="sm" mt="md" role="alert">
            {messageOf(failure)}
          </Text>
        )}
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {cancelLabel ?? t("core.cancel")}
          </Button>
          <Button type="submit" loading={busy ?? false} disabled={disabled ?? false} {...(danger && { color: "red" })}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
