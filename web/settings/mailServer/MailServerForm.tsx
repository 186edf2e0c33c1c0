import { Button, Group, NumberInput, Select, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/CompanyForm.module.css";
import { useAcademyName } from "#web/core/academy/academy.ts";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import own from "#web/settings/mailServer/mailServer.module.css";
import { TestMail } from "#web/settings/mailServer/TestMail.tsx";
import { isSameAccount, toInput, useMailServerForm, valuesOf } from "#web/settings/mailServer/useMailServerForm.ts";
import { useTestMail } from "#web/settings/mailServer/useTestMail.ts";
import {
  type MailSecurity,
  mailSecurity,
  mailServers,
  type StoredMailServer,
  usualPorts,
} from "#shared/mails/mailServer.ts";

/** The mail server that admins set up. The settings in the form can be tested before they are saved. */
export function MailServerForm({ server }: { server: StoredMailServer | null }) {
  const { t } = useTranslation();
  const academyName = useAcademyName();
  const focusFirstError = useFocusFirstError();
  const [base, setBase] = useState(server);
  const form = useMailServerForm(base);
  const { failure, showError, attempt } = useFormErrors(form.setErrors);
  const test = useTestMail();
  const save = useApiMutation(mailServers.save, { quiet: true });
  const remove = useApiMutation(mailServers.remove, { quiet: true });
  const { values } = form;
  const isKept = base?.hasPassword === true && isSameAccount(values, base);

  const take = (row: StoredMailServer | null) => {
    setBase(row);
    form.setInitialValues(valuesOf(row));
    form.setValues(valuesOf(row));
    form.clearErrors();
  };
  const send = async (version: number) => {
    const saved = await save.mutateAsync({ body: { ...toInput(form.values), version } });
    take(saved.server);
    toast.done(t("mails.server.saved"));
  };
  const conflict = useConflict<StoredMailServer>({
    labels: {
      host: t("mails.server.host"),
      port: t("mails.server.port"),
      security: t("mails.server.security"),
      username: t("mails.server.username"),
      senderName: t("mails.server.senderName"),
      senderAddress: t("mails.server.senderAddress"),
    },
    onTakeTheirs: take,
    onKeepMine: (_, version) => send(version).catch(showError),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    if (!form.validate().hasErrors)
      await attempt(
        () => send(base?.version ?? 0),
        (error) => conflict.handleError(error, toInput(form.values)),
      );
    focusFirstError(element);
  };
  const tryOut = () => (form.validate().hasErrors ? undefined : attempt(() => test.tryOut(toInput(form.values))));
  const askToRemove = () =>
    confirm({
      title: t("mails.server.removeTitle"),
      text: t("mails.server.removeText"),
      confirmLabel: t("mails.server.remove"),
      cancelLabel: t("mails.server.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync();
        take(null);
        test.clear();
        toast.done(t("mails.server.removed"));
      },
    });
  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <p className={own.lead}>{t(base ? "mails.server.line" : "mails.server.none")}</p>
      <TextInput
        label={t("mails.server.host")}
        placeholder="smtp.example.com"
        autoComplete="off"
        {...form.getInputProps("host")}
      />
      <div className={classes.pair}>
        <Select
          label={t("mails.server.security")}
          allowDeselect={false}
          data={mailSecurity.options.map((value) => ({ value, label: t(`mails.server.securities.${value}`) }))}
          {...form.getInputProps("security")}
          onChange={(next) => {
            const security = (next ?? "starttls") as MailSecurity;
            form.setValues({ security, port: usualPorts[security] });
          }}
        />
        <NumberInput
          label={t("mails.server.port")}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          {...form.getInputProps("port")}
        />
      </div>
      <div className={classes.pair}>
        <TextInput
          label={<OptionalLabel>{t("mails.server.username")}</OptionalLabel>}
          autoComplete="off"
          {...form.getInputProps("username")}
        />
        <TextInput
          type="password"
          label={t("mails.server.password")}
          autoComplete="new-password"
          disabled={values.username.trim() === ""}
          placeholder={isKept ? t("mails.server.passwordKept") : ""}
          {...form.getInputProps("password")}
        />
      </div>
      <div className={classes.pair}>
        <TextInput
          type="email"
          label={t("mails.server.senderAddress")}
          autoComplete="off"
          {...form.getInputProps("senderAddress")}
        />
        <TextInput
          label={<OptionalLabel>{t("mails.server.senderName")}</OptionalLabel>}
          placeholder={academyName}
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps("senderName")}
        />
      </div>
      <TestMail test={test} onSend={tryOut} />
      {failure !== null && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(failure)}
        </Text>
      )}
      <Group gap="xs" className={classes.bar} data-dirty={form.isDirty() || undefined}>
        <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
          {t("mails.server.save")}
        </Button>
        {form.isDirty() && (
          <Button variant="subtle" onClick={() => take(base)}>
            {t("settings.discard")}
          </Button>
        )}
        {base && !form.isDirty() && (
          <Button variant="subtle" color="red" onClick={askToRemove}>
            {t("mails.server.remove")}
          </Button>
        )}
      </Group>
      <UnsavedGuard when={form.isDirty()} />
      {conflict.dialog}
    </form>
  );
}
