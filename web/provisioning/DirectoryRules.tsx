import { Alert, Button, Radio, Select, Stack, Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { useFields } from "#web/fields/useFields.ts";
import classes from "#web/provisioning/provisioning.module.css";
import {
  type MappableAttribute,
  mappable,
  provisioning,
  type ProvisioningSettings,
  removal,
} from "#shared/provisioning/provisioning.ts";
import { FIELDS } from "#shared/provisioning/schemas.ts";

type Rules = Pick<ProvisioningSettings, "removal" | "invites" | "mapping">;
type Versioned = Rules & Pick<ProvisioningSettings, "version">;
const nameOf = (attribute: MappableAttribute) =>
  attribute.slice(attribute.lastIndexOf(":") + 1) as "department" | "title";
const inputs = ["removal", "invites", ...mappable.map((attribute) => `mapping.${attribute}`)];

/** What follows from what a directory says, and in which fields it is stored. */
export function DirectoryRules({ companyId, settings }: { companyId: string; settings: ProvisioningSettings }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { id: companyId };
  const fields = useFields(companyId);
  /** What was changed here, and of which version. */
  const [edit, setEdit] = useState<Versioned | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, attempt } = useFormErrors(setErrors, { fields: inputs });
  const focusFirstError = useFocusFirstError();
  const update = useApiMutation(provisioning.update, { quiet: true });
  const { removal: wanted, invites, mapping, version } = edit ?? settings;
  const change = (changed: Partial<Rules>) => {
    setEdit({ removal: wanted, invites, mapping, version, ...changed });
    setErrors({});
    setFailure(null);
  };
  const map = (attribute: MappableAttribute, field: string | null) => {
    const { [attribute]: _, ...others } = mapping;
    change({ mapping: field ? { ...others, [attribute]: field } : others });
  };
  const send = async (body: Versioned) => {
    setErrors({});
    await update.mutateAsync({ params, body });
    setEdit(null);
    toast.done(t("provisioning.saved"));
  };
  const save = (body: Versioned): Promise<void> =>
    attempt(
      () => send(body),
      (error) => conflict.handleError(error, body),
    );
  const conflict = useConflict<ProvisioningSettings>({
    labels: {
      removal: t("provisioning.removal"),
      invites: t("provisioning.invites"),
      mapping: t("provisioning.mapping"),
    },
    formatValue: (field, value) => {
      if (field === "removal") return t(`provisioning.removals.${removal.parse(value)}`);
      if (field === "invites") return t(value ? "core.yes" : "core.no");
      return mappingText(value as Rules["mapping"]);
    },
    onKeepMine: (mine, current) => save({ removal: wanted, invites, mapping, ...mine, version: current }),
    onTakeTheirs: (theirs) => {
      client.setQueryData(queryFor(provisioning.get, { params }).queryKey, theirs);
      setEdit(null);
    },
  });
  const mappingText = (mapped: Rules["mapping"]) =>
    mappable
      .filter((attribute) => mapped[attribute])
      .map((attribute) => {
        const field = fields?.find(({ id }) => id === mapped[attribute]);
        return `${t(`provisioning.attribute.${nameOf(attribute)}`)}: ${field?.name ?? "–"}`;
      })
      .join("; ");
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (edit) void save(edit).then(() => focusFirstError(form));
  };
  return (
    <Section title={t("provisioning.rules")}>
      <p className={classes.lead}>{t("provisioning.byHand")}</p>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Radio.Group
          label={t("provisioning.removal")}
          description={t("provisioning.removalHint")}
          value={wanted}
          error={errors.removal}
          onChange={(value) => change({ removal: removal.parse(value) })}
        >
          <Stack gap={8} mt={8}>
            {removal.options.map((value) => (
              <Radio key={value} value={value} label={t(`provisioning.removals.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Switch
          label={t("provisioning.invites")}
          description={t("provisioning.invitesHint")}
          checked={invites}
          error={errors.invites}
          onChange={(event) => change({ invites: event.currentTarget.checked })}
        />
        <fieldset className={classes.fieldset}>
          <legend className={classes.legend}>{t("provisioning.mapping")}</legend>
          {fields?.length === 0 ? (
            <p className={classes.lead}>{t("provisioning.noFields")}</p>
          ) : (
            <>
              <p className={classes.lead}>{t("provisioning.mappingText", { urn: FIELDS })}</p>
              <div className={classes.mapping}>
                {mappable.map((attribute) => (
                  <Select
                    key={attribute}
                    label={t(`provisioning.attribute.${nameOf(attribute)}`)}
                    placeholder={t("provisioning.noField")}
                    clearable
                    data={(fields ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                    value={mapping[attribute] ?? null}
                    error={errors[`mapping.${attribute}`]}
                    onChange={(field) => map(attribute, field)}
                  />
                ))}
              </div>
            </>
          )}
        </fieldset>
        {failure !== null && (
          <Alert color="red" role="alert">
            {messageOf(failure)}
          </Alert>
        )}
        <div>
          <Button type="submit" loading={update.isPending} disabled={edit === null}>
            {t("provisioning.save")}
          </Button>
        </div>
      </form>
      <UnsavedGuard when={edit !== null} />
      {conflict.dialog}
    </Section>
  );
}
