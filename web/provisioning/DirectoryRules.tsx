import { Button, Radio, Select, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
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
const nameOf = (attribute: MappableAttribute) =>
  attribute.slice(attribute.lastIndexOf(":") + 1) as "department" | "title";

/** What follows from what a directory says, and in which fields it is stored. */
export function DirectoryRules({ companyId, settings }: { companyId: string; settings: ProvisioningSettings }) {
  const { t } = useTranslation();
  const fields = useFields(companyId);
  const [rules, setRules] = useState<Rules>({
    removal: settings.removal,
    invites: settings.invites,
    mapping: settings.mapping,
  });
  const [failure, setFailure] = useState<string | null>(null);
  const update = useApiMutation(provisioning.update, { quiet: true });
  const map = (attribute: MappableAttribute, field: string | null) => {
    const { [attribute]: _, ...others } = rules.mapping;
    setRules({ ...rules, mapping: field ? { ...others, [attribute]: field } : others });
  };
  const save = async () => {
    setFailure(null);
    try {
      await update.mutateAsync({ params: { id: companyId }, body: { ...rules, version: settings.version } });
      toast.done(t("provisioning.saved"));
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <Section title={t("provisioning.rules")}>
      <p className={classes.lead}>{t("provisioning.byHand")}</p>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Radio.Group
          label={t("provisioning.removal")}
          description={t("provisioning.removalHint")}
          value={rules.removal}
          onChange={(value) => setRules({ ...rules, removal: removal.parse(value) })}
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
          checked={rules.invites}
          onChange={(event) => setRules({ ...rules, invites: event.currentTarget.checked })}
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
                    value={rules.mapping[attribute] ?? null}
                    onChange={(field) => map(attribute, field)}
                  />
                ))}
              </div>
            </>
          )}
        </fieldset>
        {failure && (
          <Text c="var(--ly-bad)" size="sm" role="alert">
            {failure}
          </Text>
        )}
        <div>
          <Button type="submit" loading={update.isPending}>
            {t("provisioning.save")}
          </Button>
        </div>
      </form>
    </Section>
  );
}
