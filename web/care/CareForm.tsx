import { Button, Group, MultiSelect, Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { careNoticeText } from "#web/care/careNoticeText.ts";
import classes from "#web/care/CareForm.module.css";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { toast } from "#web/core/toast/toast.ts";
import { care, type CareSettings, MAX_PEOPLE } from "#shared/care/care.ts";

/** Who is told about calls for help of the people of a company or, with the id `visitors`, of those without one. */
export function CareForm({ id }: { id: string }) {
  const { data } = useSuspenseQuery(queryFor(care.get, { params: { id } }));
  return <Fields key={data.version} id={id} settings={data} />;
}

function Fields({ id, settings }: { id: string; settings: CareSettings }) {
  const { t } = useTranslation();
  const [version, setVersion] = useState(settings.version);
  const focusFirstError = useFocusFirstError();
  const set = useApiMutation(care.set, { quiet: true });
  const remove = useApiMutation(care.remove);
  const required = (value: string) => (value.trim() ? null : t("care.required"));
  const form = useForm({
    initialValues: {
      personIds: settings.people.map((person) => person.id),
      purpose: settings.purpose,
      hours: settings.hours,
      connectorId: settings.connectorId,
      model: settings.model,
    },
    validate: {
      personIds: (ids) => (ids.length > 0 ? null : t("care.required")),
      purpose: required,
      hours: required,
    },
  });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const { personIds, purpose, hours, connectorId } = form.values;
  const { people, connectors } = settings.choices;
  const optionsOf = (rows: { id: string; name: string }[]) =>
    rows.map(({ id: value, name: label }) => ({ value, label }));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    setFailure(null);
    if (!form.validate().hasErrors)
      try {
        const saved = await set.mutateAsync({ params: { id }, body: { ...form.values, version } });
        setVersion(saved.version);
        toast.done(t("care.saved"));
      } catch (error) {
        showError(error);
      }
    focusFirstError(element);
  };
  const turnOff = () =>
    confirm({
      title: t("care.removeTitle"),
      text: t("care.removeText"),
      confirmLabel: t("care.remove"),
      cancelLabel: t("care.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id } });
        toast.done(t("care.removed"));
      },
    });
  const names = people.filter((person) => personIds.includes(person.id)).map(({ name }) => name);
  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <Text size="sm">
        {t("care.text")} {id === "visitors" && t("care.visitors")}
      </Text>
      <Text size="sm" c="dimmed">
        {settings.isOn ? t("care.mayMiss") : `${t("care.off")} ${t("care.mayMiss")}`}
      </Text>
      <MultiSelect
        label={t("care.people")}
        description={t("care.peopleHint")}
        data={optionsOf(people)}
        maxValues={MAX_PEOPLE}
        searchable
        {...form.getInputProps("personIds")}
      />
      <TextInput
        label={t("care.purpose")}
        placeholder={t("care.purposePlaceholder")}
        maxLength={300}
        {...form.getInputProps("purpose")}
      />
      <TextInput
        label={t("care.hours")}
        placeholder={t("care.hoursPlaceholder")}
        maxLength={200}
        {...form.getInputProps("hours")}
      />
      {connectors.length > 0 && (
        <Select
          label={<OptionalLabel>{t("care.connection")}</OptionalLabel>}
          description={t("care.connectionHint")}
          placeholder={t("care.noConnection")}
          data={optionsOf(connectors)}
          clearable
          {...form.getInputProps("connectorId")}
        />
      )}
      {connectorId && connectors.length > 0 && (
        <TextInput
          label={<OptionalLabel>{t("care.model")}</OptionalLabel>}
          placeholder={t("care.modelPlaceholder")}
          maxLength={200}
          {...form.getInputProps("model")}
        />
      )}
      {names.length > 0 && purpose.trim() && hours.trim() && (
        <div className={classes.preview}>
          <Text size="sm" c="dimmed">
            {t("care.shown")}
          </Text>
          <p>{careNoticeText(t, { people: names, purpose, hours })}</p>
        </div>
      )}
      {failure !== null && (
        <Text role="alert" c="var(--ly-bad)" size="sm">
          {messageOf(failure)}
        </Text>
      )}
      <Group gap="xs">
        <Button type="submit" loading={set.isPending}>
          {t("care.save")}
        </Button>
        {settings.version > 0 && (
          <Button variant="default" c="var(--ly-bad)" onClick={turnOff}>
            {t("care.remove")}
          </Button>
        )}
      </Group>
    </form>
  );
}
