import { Input, MultiSelect, NumberInput, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { toChoice, useModelChoices } from "#web/prompts/modelChoice.ts";
import { suggestPromptKey } from "#web/prompts/promptKey.ts";
import classes from "#web/prompts/prompts.module.css";
import { type ButtonPrompt, buttonPrompts, type VisibleWhen } from "#shared/prompts/buttonPrompts.ts";
import { courses } from "#shared/courses/courses.ts";
import { prompts } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";

const tests: VisibleWhen["is"][] = ["known", "missing", "equal", "atLeast", "atMost", "words"];
const hasValue = (is: VisibleWhen["is"]) => is !== "known" && is !== "missing";
const MAX_SHOWN = 200;

const initialValues = (button: ButtonPrompt | undefined, failureText: string) => ({
  label: button?.label ?? "",
  key: button?.key ?? "",
  promptId: button?.promptId ?? "",
  model: button?.connectorId ? `${button.connectorId} ${button.model ?? ""}`.trim() : "",
  courseIds: button?.courseIds ?? [],
  outputs: button?.outputs ?? [],
  conditionKey: button?.visibleWhen?.key ?? "",
  conditionIs: button?.visibleWhen?.is ?? ("known" as VisibleWhen["is"]),
  conditionValue: String(button?.visibleWhen?.value ?? ""),
  dailyLimit: (button ? (button.dailyLimit ?? "") : 10) as number | "",
  cooldownSeconds: (button?.cooldownSeconds ?? 0) as number | "",
  confirmText: button?.confirmText ?? "",
  failureText: button?.failureText ?? failureText,
});
type Values = ReturnType<typeof initialValues>;

function toInput(values: Values) {
  const { conditionKey, conditionIs, conditionValue, model, dailyLimit, cooldownSeconds, ...rest } = values;
  return {
    ...rest,
    ...toChoice(model),
    dailyLimit: dailyLimit === "" ? null : dailyLimit,
    cooldownSeconds: cooldownSeconds || 0,
    visibleWhen: conditionKey === "" ? null : { key: conditionKey, is: conditionIs, value: conditionValue },
  };
}

/** A button: prompt, courses, output variables and limits. */
export function ButtonDialog({ button, onClose }: { button?: ButtonPrompt; onClose: () => void }) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: initialValues(button, t("prompts.buttons.form.failureDefault")) });
  const create = useApiMutation(buttonPrompts.create, { quiet: true });
  const update = useApiMutation(buttonPrompts.update, { quiet: true });
  const models = useModelChoices();
  const { data: allPrompts } = useQuery(queryFor(prompts.list, { query: { size: MAX_SHOWN, purpose: "button" } }));
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const { data: defined } = useQuery(queryFor(variables.list, { query: { size: MAX_SHOWN } }));
  const keys = [...new Set((defined?.items ?? []).map(({ key }) => key))];
  const { outputs, conditionKey, conditionIs, label, key } = form.values;

  const { failure, attempt } = useFormErrors(form.setErrors);
  const save = (version: number): Promise<void> =>
    attempt(
      async () => {
        const { key: ownKey, ...input } = toInput(form.values);
        if (button) await update.mutateAsync({ params: { id: button.id }, body: { ...input, version } });
        else await create.mutateAsync({ body: { ...input, key: ownKey } });
        toast.done(t(button ? "prompts.buttons.form.saved" : "prompts.buttons.form.created", { name: label }));
        onClose();
      },
      (error) => conflict.handleError(error, { label }),
    );
  const conflict = useConflict<ButtonPrompt>({
    labels: { label: t("prompts.buttons.form.label") },
    onKeepMine: (_, version) => save(version),
    onTakeTheirs: onClose,
  });
  const chooseOutputs = (chosen: string[]) =>
    form.setFieldValue(
      "outputs",
      chosen.map((one) => outputs.find((output) => output.key === one) ?? { key: one, about: "" }),
    );
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        size={620}
        title={button ? t("prompts.buttons.form.edit", { name: button.label }) : t("prompts.buttons.form.create")}
        submitLabel={t(button ? "prompts.buttons.form.save" : "prompts.buttons.form.add")}
        busy={create.isPending || update.isPending}
        failure={failure}
        onSubmit={() => save(button?.version ?? 0)}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t("prompts.buttons.form.label")}
            maxLength={40}
            data-autofocus
            {...form.getInputProps("label")}
            onChange={(event) => {
              const next = event.currentTarget.value;
              if (!button && key === suggestPromptKey(label)) form.setFieldValue("key", suggestPromptKey(next));
              form.setFieldValue("label", next);
            }}
          />
          <TextInput
            label={t("prompts.buttons.form.key")}
            disabled={button !== undefined}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            {...form.getInputProps("key")}
          />
          <Select
            label={t("prompts.buttons.form.prompt")}
            searchable
            data={(allPrompts?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps("promptId")}
          />
          <Select
            label={t("prompts.buttons.form.model")}
            allowDeselect={false}
            data={models}
            {...form.getInputProps("model")}
          />
        </SimpleGrid>
        <MultiSelect
          label={t("prompts.buttons.form.courses")}
          description={t("prompts.buttons.form.coursesHint")}
          searchable
          data={(allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))}
          {...form.getInputProps("courseIds")}
        />
        <MultiSelect
          label={t("prompts.buttons.form.outputs")}
          description={t("prompts.buttons.form.outputsHint")}
          searchable
          maxValues={10}
          data={keys}
          value={outputs.map((output) => output.key)}
          onChange={chooseOutputs}
          error={form.errors["outputs"]}
        />
        {outputs.length > 0 && (
          <div>
            {outputs.map((output, at) => (
              <div key={output.key} className={classes.output}>
                <code className={classes.chip}>{output.key}</code>
                <TextInput
                  aria-label={`${output.key}: ${t("prompts.buttons.form.about")}`}
                  placeholder={t("prompts.buttons.form.about")}
                  maxLength={300}
                  {...form.getInputProps(`outputs.${at}.about`)}
                />
              </div>
            ))}
          </div>
        )}
        <Input.Wrapper label={t("prompts.buttons.form.visible")}>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <Select
              aria-label={t("prompts.buttons.form.variable")}
              placeholder={t("prompts.buttons.form.always")}
              searchable
              clearable
              data={keys}
              value={conditionKey === "" ? null : conditionKey}
              onChange={(next) => form.setFieldValue("conditionKey", next ?? "")}
            />
            {conditionKey !== "" && (
              <Select
                aria-label={t("prompts.buttons.form.visible")}
                allowDeselect={false}
                data={tests.map((value) => ({ value, label: t(`prompts.buttons.form.tests.${value}`) }))}
                {...form.getInputProps("conditionIs")}
              />
            )}
            {conditionKey !== "" && hasValue(conditionIs) && (
              <TextInput aria-label={t("prompts.buttons.form.value")} {...form.getInputProps("conditionValue")} />
            )}
          </SimpleGrid>
        </Input.Wrapper>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <NumberInput
            label={t("prompts.buttons.form.limit")}
            placeholder={t("prompts.buttons.form.noLimit")}
            hideControls
            min={1}
            allowDecimal={false}
            {...form.getInputProps("dailyLimit")}
          />
          <NumberInput
            label={t("prompts.buttons.form.cooldown")}
            hideControls
            min={0}
            allowDecimal={false}
            {...form.getInputProps("cooldownSeconds")}
          />
        </SimpleGrid>
        <TextInput
          label={t("prompts.buttons.form.confirm")}
          description={t("prompts.buttons.form.confirmHint")}
          {...form.getInputProps("confirmText")}
        />
        <TextInput label={t("prompts.buttons.form.failure")} {...form.getInputProps("failureText")} />
        {key !== "" && <CopyField label={t("prompts.buttons.form.snippet")} text={`Lyceum.runPrompt("${key}")`} />}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
