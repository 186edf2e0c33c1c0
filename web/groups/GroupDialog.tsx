import { Input, SegmentedControl, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type DraftRule, newTest, toDraft, toRule } from "#web/groups/draftTests.ts";
import { RuleEditor } from "#web/groups/RuleEditor.tsx";
import { RulePreview } from "#web/groups/RulePreview.tsx";
import { ruleText } from "#web/groups/ruleText.ts";
import { useRuleChoices } from "#web/groups/useRuleChoices.ts";
import { findContradiction } from "#shared/conditions/neverTrue.ts";
import { type Group, type GroupDetail, groups } from "#shared/groups/groups.ts";

type Props = { companyId: string; group?: Group & Pick<GroupDetail, "names">; onClose: () => void };

/** Adds a group to a company, or changes one. A preview says who would join and leave. */
export function GroupDialog({ companyId, group, onClose }: Props) {
  const { t } = useTranslation();
  const choices = useRuleChoices(companyId, group?.id, group?.names);
  const create = useApiMutation(groups.create, { quiet: true });
  const update = useApiMutation(groups.update, { quiet: true });
  const [kind, setKind] = useState<"rule" | "hand">(group && !group.rule ? "hand" : "rule");
  const [edited, setDraft] = useState<DraftRule | null>(() => toDraft(group?.rule ?? null));
  const isForeign = edited === null;
  const isProvided = group?.provided ?? false;
  // Fields arrive after the dialog has opened; the first one is the usual first condition.
  const first = choices.fields[0];
  const isUntouched = edited?.tests.length === 0 && edited.any.length === 0;
  const [start] = useState(() => newTest("status"));
  const initial = first ? { ...newTest(`field:${first.id}`), id: start.id } : start;
  const draft = edited && (isUntouched && !group?.rule ? { ...edited, tests: [initial] } : edited);
  const rule = draft ? toRule(draft, choices.fields) : (group?.rule ?? null);
  const form = useForm({
    initialValues: { name: group?.name ?? "", description: group?.description ?? "" },
    validate: { name: (name) => (name.trim() ? null : t("groups.noName")) },
  });
  const { failure, setFailure, attempt } = useFormErrors(form.setErrors, { fields: ["name", "description"] });
  const send = async (version: number) => {
    const body = { ...form.values, rule: kind === "rule" ? rule : null };
    const name = group
      ? (await update.mutateAsync({ params: { id: group.id }, body: { ...body, version } })).name
      : (await create.mutateAsync({ body: { ...body, companyId } })).name;
    toast.done(t(group ? "groups.saved" : "groups.added", { name }));
    onClose();
  };
  const save = (version: number): Promise<void> =>
    attempt(
      async () => {
        if (form.validate().hasErrors) return;
        if (kind === "rule" && (rule === null || findContradiction(rule))) return;
        await send(version);
      },
      (error) => conflict.handleError(error, { ...form.values, rule: kind === "rule" ? rule : null }),
    );
  const conflict = useConflict<GroupDetail>({
    labels: { name: t("groups.name"), description: t("groups.description"), rule: t("groups.whoBelongs") },
    formatValue: (name, value) => {
      if (name !== "rule") return String(value);
      return value ? ruleText(value as NonNullable<Group["rule"]>, choices.names) : t("groups.chosenByHand");
    },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onClose,
  });
  const isUnfinished = kind === "rule" && (rule === null || findContradiction(rule) !== null);
  return (
    <>
      <FormDialog
        opened
        size={720}
        onClose={onClose}
        title={group ? t("groups.editTitle", { name: group.name }) : t("groups.add")}
        submitLabel={group ? t("groups.save") : t("groups.add")}
        busy={create.isPending || update.isPending}
        disabled={isUnfinished}
        failure={failure}
        onSubmit={() => save(group?.version ?? 0)}
      >
        <TextInput
          label={t("groups.name")}
          maxLength={120}
          autoComplete="off"
          data-autofocus
          readOnly={isProvided}
          {...(isProvided && { description: t("groups.directoryText") })}
          {...form.getInputProps("name")}
        />
        <TextInput
          label={<OptionalLabel>{t("groups.description")}</OptionalLabel>}
          maxLength={500}
          autoComplete="off"
          {...form.getInputProps("description")}
        />
        {!isProvided && (
          <Input.Wrapper label={t("groups.whoBelongs")} labelElement="div">
            <SegmentedControl
              fullWidth
              mt={4}
              aria-label={t("groups.whoBelongs")}
              value={kind}
              data={[
                { value: "rule", label: t("groups.byRule") },
                { value: "hand", label: t("groups.byHandOnly") },
              ]}
              onChange={(value) => {
                setKind(value as "rule" | "hand");
                setFailure(null);
              }}
            />
          </Input.Wrapper>
        )}
        {kind === "rule" && draft && (
          <RuleEditor
            rule={draft}
            choices={choices}
            onChange={(next) => {
              setDraft(next);
              setFailure(null);
            }}
          />
        )}
        {kind === "rule" && isForeign && rule && <p>{ruleText(rule, choices.names)}</p>}
        {(kind === "rule" || group) && !isProvided && (
          <RulePreview
            companyId={companyId}
            groupId={group?.id}
            rule={kind === "rule" ? rule : null}
            isByHand={kind === "hand"}
            names={choices.names}
          />
        )}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
