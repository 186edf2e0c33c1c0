import { Group, NumberInput, Select, SimpleGrid, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CourseUses } from "#web/variables/definition/CourseUses.tsx";
import { hasOptions, isMeasured, type VariableForm } from "#web/variables/definition/useVariableForm.ts";
import { variablePrivacy, variableScope, variableType, writeMode } from "#shared/variables/variables.ts";
import { normaliseKey, type VariableType, type WriteMode } from "#shared/variables/variableTypes.ts";

type Props = { form: VariableForm; isKeyFixed: boolean };
const isOrdered = (type: VariableType) => isMeasured(type) || type === "date";
const modesOf = (type: VariableType): WriteMode[] =>
  writeMode.options.filter((mode) => {
    if (mode === "sum") return isMeasured(type);
    return mode === "max" || mode === "min" ? isOrdered(type) : true;
  });

/** Name, key, type with limits, and courses of a variable. */
export function VariableFields({ form, isKeyFixed }: Props) {
  const { t } = useTranslation();
  const { type } = form.values;
  const nameChanged = (label: string) => {
    const { key } = form.values;
    const isSuggested = key === "" || key === normaliseKey(form.values.label);
    form.setFieldValue("label", label);
    if (!isKeyFixed && isSuggested) form.setFieldValue("key", normaliseKey(label) ?? "");
  };
  const typeChanged = (next: VariableType) => {
    form.setFieldValue("type", next);
    if (!modesOf(next).includes(form.values.writeMode)) form.setFieldValue("writeMode", "last");
  };
  return (
    <>
      <TextInput
        label={t("variables.form.label")}
        description={t("variables.form.labelHint")}
        data-autofocus
        {...form.getInputProps("label")}
        onChange={(event) => nameChanged(event.currentTarget.value)}
      />
      {!isKeyFixed && (
        <TextInput
          label={t("variables.key")}
          description={t("variables.form.keyHint")}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          {...form.getInputProps("key")}
        />
      )}
      <Select
        label={t("variables.type")}
        allowDeselect={false}
        data={variableType.options.map((value) => ({ value, label: t(`variables.types.${value}`) }))}
        {...form.getInputProps("type")}
        onChange={(next) => typeChanged(next as VariableType)}
      />
      {isMeasured(type) && (
        <SimpleGrid cols={3} spacing="sm">
          <NumberInput label={t("variables.form.min")} {...limitProps(form, "min")} />
          <NumberInput label={t("variables.form.max")} {...limitProps(form, "max")} />
          <NumberInput label={t("variables.form.step")} {...limitProps(form, "step")} />
        </SimpleGrid>
      )}
      {type === "text" && (
        <NumberInput label={t("variables.form.maxLength")} allowDecimal={false} {...limitProps(form, "maxLength")} />
      )}
      {hasOptions(type) && (
        <TagsInput
          label={t("variables.form.options")}
          description={t("variables.form.optionsHint")}
          {...form.getInputProps("options")}
          error={form.errors["constraints.options"]}
        />
      )}
      <CourseUses form={form} />
    </>
  );
}

const limitProps = (form: VariableForm, name: "min" | "max" | "step" | "maxLength") => ({
  hideControls: true,
  value: form.values.limits[name],
  onChange: (value: string | number) => form.setFieldValue(`limits.${name}`, typeof value === "number" ? value : ""),
  error: form.errors[`constraints.${name}`],
});

/** Further settings, all with defaults: scope, write mode, privacy and retention. */
export function VariableSettings({ form }: { form: VariableForm }) {
  const { t } = useTranslation();
  const { type, scope, privacy, learnerVisible } = form.values;
  return (
    <>
      <Select
        label={t("variables.scope")}
        allowDeselect={false}
        description={t(`variables.scopeTexts.${scope}`)}
        data={variableScope.options.map((value) => ({ value, label: t(`variables.scopes.${value}`) }))}
        {...form.getInputProps("scope")}
      />
      <Select
        label={t("variables.form.mode")}
        allowDeselect={false}
        data={modesOf(type).map((value) => ({ value, label: t(`variables.modes.${value}`) }))}
        {...form.getInputProps("writeMode")}
      />
      <Group grow align="start">
        <TextInput
          label={t("variables.form.defaultValue")}
          {...form.getInputProps("defaultText")}
          error={form.errors.defaultValue}
        />
        {isMeasured(type) && <TextInput label={t("variables.form.unit")} {...form.getInputProps("unit")} />}
      </Group>
      <Select
        label={t("variables.privacy")}
        allowDeselect={false}
        description={t(`variables.privacyTexts.${privacy}`)}
        data={variablePrivacy.options.map((value) => ({ value, label: t(`variables.privacies.${value}`) }))}
        {...form.getInputProps("privacy")}
      />
      <Switch
        label={t("variables.form.learnerVisible")}
        description={t("variables.form.learnerVisibleHint")}
        {...form.getInputProps("learnerVisible", { type: "checkbox" })}
      />
      <Switch
        label={t("variables.form.learnerEditable")}
        disabled={!learnerVisible}
        {...form.getInputProps("learnerEditable", { type: "checkbox" })}
      />
      <Switch
        label={t("variables.form.usableInPrompts")}
        {...form.getInputProps("usableInPrompts", { type: "checkbox" })}
      />
      {isMeasured(type) && scope !== "company" && privacy !== "sensitive" && (
        <Switch label={t("variables.form.leaderboard")} {...form.getInputProps("leaderboard", { type: "checkbox" })} />
      )}
      <NumberInput
        label={t("variables.form.retention")}
        description={t("variables.form.retentionHint")}
        hideControls
        allowDecimal={false}
        value={form.values.retention}
        onChange={(value) => form.setFieldValue("retention", typeof value === "number" ? value : "")}
        error={form.errors.retentionDays}
      />
      <Textarea label={t("variables.form.description")} autosize minRows={2} {...form.getInputProps("description")} />
    </>
  );
}
