import type { TFunction } from "i18next";
import { Button, Collapse, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { toInput, useVariableForm } from "#web/variables/definition/useVariableForm.ts";
import { VariableFields, VariableSettings } from "#web/variables/definition/VariableFields.tsx";
import { VariableSelect } from "#web/variables/VariableSelect.tsx";
import { type SeenKey, type Variable, variables } from "#shared/variables/variables.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  /** The variable to edit. */
  variable?: Variable;
  /** The key to define. */
  seenKey?: SeenKey;
};

/**
 * Defines a variable, changes one, or defines a key that content has sent, optionally as another name of an existing
 * variable.
 */
export function VariableDialog({ opened, onClose, variable, seenKey }: Props) {
  const { t } = useTranslation();
  const form = useVariableForm(variable, seenKey);
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const [kind, setKind] = useState<"new" | "existing">("new");
  const [target, setTarget] = useState<Variable | null>(null);
  const [showsMore, more] = useDisclosure(variable !== undefined);
  const create = useApiMutation(variables.create, { quiet: true });
  const update = useApiMutation(variables.update, { quiet: true });
  const define = useApiMutation(variables.defineKey, { quiet: true });
  const merge = useApiMutation(variables.merge, { quiet: true });
  const isBusy = [create, update, define, merge].some(({ isPending }) => isPending);

  const send = async (version: number) => {
    const { key, ...input } = toInput(form.values);
    if (variable) return update.mutateAsync({ params: { id: variable.id }, body: { ...input, version } });
    if (seenKey) return define.mutateAsync({ params: { id: seenKey.id }, body: input });
    return create.mutateAsync({ body: { key, ...input } });
  };
  const save = async (version: number) => {
    try {
      const { label } = await send(version);
      toast.done(t(variable ? "variables.form.saved" : "variables.form.created", { label }));
      onClose();
    } catch (error) {
      if (await conflict.handleError(error, { label: form.values.label })) return;
      const isHidden = Object.keys(showError(error)).some((name) => settingsFields.includes(name));
      if (isHidden) more.open();
    }
  };
  const mergeKey = async () => {
    if (!target || !seenKey) return;
    try {
      await merge.mutateAsync({ params: { id: target.id }, body: { otherId: seenKey.id } });
      toast.done(t("variables.form.merged", { key: seenKey.key, label: target.label }));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  const conflict = useConflict<Variable>({
    labels: { label: t("variables.form.label") },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onClose,
  });
  const submit = () => {
    setFailure(null);
    if (kind === "existing") return mergeKey();
    if (form.values.label.trim() === "") return form.setFieldError("label", t("variables.form.required"));
    return save(variable?.version ?? 0);
  };
  const isTypeChanged = variable !== undefined && variable.type !== form.values.type && variable.subjects > 0;
  return (
    <>
      <FormDialog
        opened={opened}
        onClose={onClose}
        size={600}
        title={titleOf({ variable, seenKey, t })}
        submitLabel={submitLabelOf({ variable, seenKey, kind, t })}
        disabled={kind === "existing" && !target}
        busy={isBusy}
        failure={failure}
        onSubmit={submit}
      >
        {seenKey && (
          <SegmentedControl
            fullWidth
            aria-label={t("variables.form.target")}
            value={kind}
            onChange={(next) => setKind(next as typeof kind)}
            data={[
              { value: "new", label: t("variables.form.newVariable") },
              { value: "existing", label: t("variables.form.existingVariable") },
            ]}
          />
        )}
        {kind === "existing" ? (
          <VariableSelect label={t("variables.form.chooseVariable")} value={target} onChange={setTarget} />
        ) : (
          <>
            <VariableFields form={form} isKeyFixed={variable !== undefined || seenKey !== undefined} />
            {isTypeChanged && (
              <Text size="sm" c="var(--ly-warn)">
                {t("variables.form.typeChange")}
              </Text>
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              w="fit-content"
              aria-expanded={showsMore}
              rightSection={<IconChevronDown size={16} style={showsMore ? { rotate: "180deg" } : undefined} />}
              onClick={more.toggle}
            >
              {t("variables.form.more")}
            </Button>
            <Collapse expanded={showsMore}>
              <Stack gap="md">
                <VariableSettings form={form} />
              </Stack>
            </Collapse>
          </>
        )}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}

/** Fields below “More settings”. */
const settingsFields = [
  "scope",
  "writeMode",
  "defaultValue",
  "unit",
  "privacy",
  "learnerEditable",
  "leaderboard",
  "retentionDays",
  "description",
];

type Subject = { variable: Variable | undefined; seenKey: SeenKey | undefined; t: TFunction };
function titleOf({ variable, seenKey, t }: Subject) {
  if (variable) return t("variables.form.edit", { label: variable.label });
  return seenKey ? t("variables.form.define", { key: seenKey.key }) : t("variables.form.create");
}
function submitLabelOf({ variable, seenKey, kind, t }: Subject & { kind: "new" | "existing" }) {
  if (variable) return t("variables.form.save");
  if (kind === "existing") return t("variables.merge.verb");
  return seenKey ? t("variables.form.defineVerb") : t("variables.add");
}
