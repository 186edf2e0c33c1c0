import { Button, Group, NumberInput, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type FormEvent, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { z } from "zod";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ColorField } from "#web/companies/ColorField.tsx";
import classes from "#web/companies/CompanyForm.module.css";
import { TimeZoneSelect } from "#web/companies/TimeZoneSelect.tsx";
import { AcademyLogoField } from "#web/settings/AcademyLogoField.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { loadAcademy } from "#web/core/academy/academy.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { academies, type Settings, type SettingsInput } from "#shared/settings/settings.ts";

const fields = [
  "academyName",
  "headline",
  "tagline",
  "about",
  "color",
  "supportEmail",
  "timeZone",
  "backupDays",
] as const;
const pick = (row: Settings) => Object.fromEntries(fields.map((name) => [name, row[name]])) as SettingsInput;
const mail = z.email();

/** Name, appearance, texts and time zone of the academy. */
export function AcademyTab() {
  const { data } = useSuspenseQuery(queryFor(academies.settings));
  return <AcademyForm settings={data} lastBackup={data.lastBackup} />;
}

/** Only changed fields are sent; version conflicts are shown in a dialog. */
function AcademyForm({ settings, lastBackup }: { settings: Settings; lastBackup: string | null }) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const [base, setBase] = useState(settings);
  const update = useApiMutation(academies.update, { quiet: true });
  const form = useForm<SettingsInput>({
    initialValues: pick(settings),
    validate: {
      academyName: (name) => (name.trim() ? null : t("settings.nameRequired")),
      supportEmail: (email) =>
        !email.trim() || mail.safeParse(email.trim()).success ? null : t("settings.emailInvalid"),
      backupDays: (days) =>
        days === null || (Number.isInteger(days) && days >= 0 && days <= 3650) ? null : t("settings.backupInvalid"),
    },
  });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const changes = () =>
    Object.fromEntries(
      fields.filter((name) => form.values[name] !== base[name]).map((name) => [name, form.values[name]]),
    ) as Partial<SettingsInput>;
  const dirty = Object.keys(changes()).length > 0;
  const take = (row: Settings) => {
    setBase(row);
    form.setValues(pick(row));
    form.clearErrors();
    setFailure(null);
  };
  const send = async (ownChanges: Partial<SettingsInput>, version: number) => {
    take(await update.mutateAsync({ body: { ...ownChanges, version } }));
    toast.done(t("settings.saved"));
    await loadAcademy();
  };
  const failed = async (error: unknown, ownChanges: Partial<SettingsInput>) => {
    if (!(await conflict.handleError(error, ownChanges as Partial<Settings>))) showError(error);
  };
  const conflict = useConflict<Settings>({
    labels: {
      academyName: t("settings.name"),
      headline: t("settings.headline"),
      tagline: t("settings.tagline"),
      about: t("settings.about"),
      color: t("settings.color"),
      supportEmail: t("settings.support"),
      timeZone: t("settings.timeZone"),
      backupDays: t("settings.backup"),
    },
    onTakeTheirs: take,
    onKeepMine: (ownChanges, version) =>
      send(ownChanges as Partial<SettingsInput>, version).catch((error: unknown) =>
        failed(error, ownChanges as Partial<SettingsInput>),
      ),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    setFailure(null);
    const ownChanges = changes();
    if (!form.validate().hasErrors)
      await send(ownChanges, base.version).catch((error: unknown) => failed(error, ownChanges));
    focusFirstError(element);
  };
  const { color, backupDays } = form.values;
  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <TextInput label={t("settings.name")} maxLength={60} autoComplete="off" {...form.getInputProps("academyName")} />
      <AcademyLogoField name={base.academyName} logo={base.logo} version={base.version} onSaved={setBase} />
      <ColorField
        label={<OptionalLabel>{t("settings.color")}</OptionalLabel>}
        value={color ?? ""}
        error={form.errors.color}
        onChange={(next) => form.setFieldValue("color", next === "" ? null : next)}
      />
      <TextInput
        label={<OptionalLabel>{t("settings.headline")}</OptionalLabel>}
        maxLength={90}
        autoComplete="off"
        description={t("settings.headlineHint", { standard: t("web.home.headline") })}
        {...form.getInputProps("headline")}
      />
      <Textarea
        label={<OptionalLabel>{t("settings.tagline")}</OptionalLabel>}
        autosize
        minRows={2}
        maxLength={240}
        {...form.getInputProps("tagline")}
      />
      <Textarea
        label={<OptionalLabel>{t("settings.about")}</OptionalLabel>}
        description={t("settings.aboutHint")}
        autosize
        minRows={4}
        maxLength={4000}
        {...form.getInputProps("about")}
      />
      <TextInput
        type="email"
        label={<OptionalLabel>{t("settings.support")}</OptionalLabel>}
        description={t("settings.supportHint")}
        autoComplete="off"
        {...form.getInputProps("supportEmail")}
      />
      <TimeZoneSelect
        label={<OptionalLabel>{t("settings.timeZone")}</OptionalLabel>}
        description={t("settings.timeZoneHint")}
        placeholder={t("settings.timeZoneNone")}
        clearable
        {...form.getInputProps("timeZone")}
      />
      <NumberInput
        label={<OptionalLabel>{t("settings.backup")}</OptionalLabel>}
        description={t("settings.backupHint")}
        allowDecimal={false}
        allowNegative={false}
        styles={{ wrapper: { maxWidth: 280 } }}
        value={backupDays ?? ""}
        error={form.errors.backupDays}
        onChange={(value) => form.setFieldValue("backupDays", value === "" ? null : Number(value))}
      />
      <Text size="sm" c="dimmed" id="backup">
        {lastBackup ? t("settings.lastBackup", { when: formatDateTime(lastBackup) }) : t("settings.noBackup")}{" "}
        <Trans i18nKey="settings.backupCommand" components={{ code: <code /> }} />
      </Text>
      {failure !== null && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(failure)}
        </Text>
      )}
      <Group gap="xs" className={classes.bar} data-dirty={dirty || undefined}>
        <Button type="submit" loading={update.isPending} disabled={!dirty}>
          {t("settings.save")}
        </Button>
        {dirty && (
          <Button variant="subtle" onClick={() => take(base)}>
            {t("settings.discard")}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {dirty ? t("settings.notSaved") : ""}
        </Text>
      </Group>
      <UnsavedGuard when={dirty} />
      {conflict.dialog}
    </form>
  );
}
