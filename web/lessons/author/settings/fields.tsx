import { Autocomplete, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import classes from "#web/lessons/author/settings/settings.module.css";
import { changeSettings, type Settings, textOf } from "#web/lessons/author/settings/settings.ts";
import { normaliseKey } from "#shared/variables/variableTypes.ts";

// Fields of the settings, each for one attribute of a node

type Field = { of: Settings; name: string; label: string; hint?: string };
/** By which a problem finds the field that solves it. */
export const settingOf = (name: string) => ({ wrapperProps: { "data-setting": name } as Record<string, string> });

export const TextField = ({ of, name, label, hint, max = 300 }: Field & { max?: number }) => (
  <TextInput
    {...settingOf(name)}
    label={label}
    description={hint}
    value={textOf(of, name)}
    maxLength={max}
    onChange={(event) => changeSettings(of, { [name]: event.currentTarget.value })}
  />
);

export const LongField = ({ of, name, label, hint, max = 1000 }: Field & { max?: number }) => (
  <Textarea
    {...settingOf(name)}
    label={label}
    description={hint}
    value={textOf(of, name)}
    maxLength={max}
    autosize
    minRows={2}
    onChange={(event) => changeSettings(of, { [name]: event.currentTarget.value })}
  />
);

export const SwitchField = ({ of, name, label, hint }: Field) => (
  <Switch
    {...settingOf(name)}
    className={classes.switch ?? ""}
    labelPosition="left"
    label={label}
    description={hint}
    checked={of.node.attrs[name] === true}
    onChange={(event) => changeSettings(of, { [name]: event.currentTarget.checked })}
  />
);

type NumberProps = Field & { min?: number; max?: number; decimals?: boolean };
export const NumberField = ({ of, name, label, hint, min, max, decimals = false }: NumberProps) => (
  <NumberInput
    {...settingOf(name)}
    label={label}
    description={hint}
    value={Number(of.node.attrs[name] ?? 0)}
    allowDecimal={decimals}
    {...(min !== undefined && { min })}
    {...(max !== undefined && { max })}
    onChange={(value) => value !== "" && changeSettings(of, { [name]: Number(value) })}
  />
);

export function ChoiceField({ of, name, label, options }: Field & { options: { value: string; label: string }[] }) {
  return (
    <Select
      {...settingOf(name)}
      label={label}
      allowDeselect={false}
      data={options}
      value={textOf(of, name)}
      onChange={(value) => value && changeSettings(of, { [name]: value })}
    />
  );
}

/** The variable that a block writes: an existing one, or a new key. */
export function VariableField({ of, name, label, hint }: Field) {
  const { t } = useTranslation();
  const { variables } = useAuthor();
  const key = textOf(of, name);
  return (
    <Autocomplete
      {...settingOf(name)}
      label={label}
      description={hint}
      placeholder={t("lessonDrafts.variable.placeholder")}
      data={variables.map((variable) => variable.key)}
      renderOption={({ option }) => (
        <span>
          <code>{option.value}</code>{" "}
          <span className={classes.dim}>{variables.find((one) => one.key === option.value)?.label}</span>
        </span>
      )}
      value={key}
      maxLength={64}
      onChange={(value) => changeSettings(of, { [name]: value })}
      onBlur={() => {
        const usable = normaliseKey(key);
        if (usable && usable !== key) changeSettings(of, { [name]: usable });
      }}
    />
  );
}
