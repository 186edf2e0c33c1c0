import { Button, Group, Text } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/CompanyForm.module.css";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";

type Props = {
  dirty: boolean;
  busy: boolean;
  failure: unknown;
  onSave: () => Promise<void>;
  onDiscard: () => void;
  children: ReactNode;
};

/** A form of the company page: fields in one column, and a sticky save bar while there are unsaved changes. */
export function CompanyForm({ dirty, busy, failure, onSave, onDiscard, children }: Props) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await onSave();
    focusFirstError(form);
  };
  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      {children}
      {failure !== null && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(failure)}
        </Text>
      )}
      <Group gap="xs" className={classes.bar} data-dirty={dirty || undefined}>
        <Button type="submit" loading={busy} disabled={!dirty}>
          {t("companies.save")}
        </Button>
        {dirty && (
          <Button variant="subtle" onClick={onDiscard}>
            {t("companies.discard")}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {dirty ? t("companies.notSaved") : ""}
        </Text>
      </Group>
      <UnsavedGuard when={dirty} />
    </form>
  );
}
