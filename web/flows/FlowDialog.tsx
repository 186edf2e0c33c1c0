import { Checkbox, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/flows/flows.module.css";
import { TransformFields } from "#web/flows/TransformFields.tsx";
import { type FlowValues, toTransform, useFlowForm } from "#web/flows/useFlowForm.ts";
import { VariableSelect } from "#web/variables/VariableSelect.tsx";
import { valueText } from "#web/variables/valueText.ts";
import { type Flow, flows, type FlowTarget } from "#shared/flows/flows.ts";
import type { Variable } from "#shared/variables/variables.ts";
import { webhooks } from "#shared/webhooks/webhooks.ts";

type Props = { onClose: () => void; flow?: Flow; start?: Partial<FlowValues> };

/** Adds a flow, or changes its transformation; source and target cannot be changed. */
export function FlowDialog({ onClose, flow, start }: Props) {
  const { t } = useTranslation();
  const form = useFlowForm(flow, start);
  const { values } = form;
  const create = useApiMutation(flows.create, { quiet: true });
  const update = useApiMutation(flows.update, { quiet: true });
  const { data: hooks } = useQuery(queryFor(webhooks.list, { query: { size: 200 } }));
  const target = targetOf(values);

  const { failure, attempt } = useFormErrors(form.setErrors, { toField });
  const save = () =>
    attempt(async () => {
      const missing = {
        ...(values.source ? {} : { source: t("flows.required") }),
        ...(target ? {} : { [values.targetKind === "variable" ? "target" : "webhookId"]: t("flows.required") }),
        ...(values.kind === "threshold" && values.at === "" ? { at: t("flows.numberRequired") } : {}),
      };
      form.setErrors(missing);
      if (Object.keys(missing).length > 0 || !values.source || !target) return;
      const transform = toTransform(values);
      if (flow) await update.mutateAsync({ params: { id: flow.id }, body: { version: flow.version, transform } });
      else
        await create.mutateAsync({
          body: { sourceVariableId: values.source.id, target, transform, includesCurrent: values.includesCurrent },
        });
      toast.done(t(flow ? "flows.saved" : "flows.created"));
      onClose();
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={600}
      title={t(flow ? "flows.edit" : "flows.add")}
      submitLabel={t(flow ? "flows.save" : "flows.add")}
      busy={create.isPending || update.isPending}
      failure={failure}
      onSubmit={save}
    >
      {flow ? (
        <p className={classes.ends}>
          {flow.source.label} → {flow.target.label}
        </p>
      ) : (
        <>
          <VariableSelect
            label={t("flows.source")}
            value={values.source as Variable | null}
            onChange={(variable) => form.setFieldValue("source", variable)}
            error={form.errors.source}
          />
          <SegmentedControl
            fullWidth
            aria-label={t("flows.targetKind")}
            value={values.targetKind}
            onChange={(kind) => form.setFieldValue("targetKind", kind as FlowTarget["kind"])}
            data={[
              { value: "variable", label: t("flows.toVariable") },
              { value: "webhook", label: t("flows.toWebhook") },
            ]}
          />
          {values.targetKind === "variable" ? (
            <VariableSelect
              label={t("flows.target")}
              value={values.target as Variable | null}
              onChange={(variable) => form.setFieldValue("target", variable)}
              error={form.errors.target}
              {...(values.source && { except: values.source.id })}
            />
          ) : (
            <Select
              label={t("flows.webhook")}
              data={(hooks?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              nothingFoundMessage={t("flows.hooks.none")}
              {...form.getInputProps("webhookId")}
            />
          )}
        </>
      )}
      <TransformFields form={form} />
      {values.source && target && <TryField values={values} sourceId={values.source.id} target={target} />}
      {!flow && (
        <Checkbox label={t("flows.includesCurrent")} {...form.getInputProps("includesCurrent", { type: "checkbox" })} />
      )}
    </FormDialog>
  );
}

const targetOf = ({ targetKind, target, webhookId }: FlowValues): FlowTarget | null => {
  if (targetKind === "variable") return target ? { kind: "variable", variableId: target.id } : null;
  return webhookId ? { kind: "webhook", webhookId } : null;
};

/** Maps a path of the request to the field of the form. */
const toField = (path: string) =>
  path
    .replace("sourceVariableId", "source")
    .replace("target.variableId", "target")
    .replace("target.webhookId", "webhookId")
    .replace(/^transform\.(none|map|threshold|template)?\.?/, "");

type TryProps = { values: FlowValues; sourceId: string; target: FlowTarget };

/** Previews the result of the transformation for a value. */
function TryField({ values, sourceId, target }: TryProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState("");
  const [settled] = useDebouncedValue(JSON.stringify({ value, transform: toTransform(values) }), 250);
  const sent = JSON.parse(settled) as { value: string; transform: ReturnType<typeof toTransform> };
  const isReady = sent.value.trim() !== "" && !(sent.transform.kind === "map" && sent.transform.pairs.length === 0);
  const tryFlow = useApiMutation(flows.try, { quiet: true, refetch: false });
  const { data, error } = useQuery({
    queryKey: ["flowTry", sourceId, target, settled],
    queryFn: () =>
      tryFlow.mutateAsync({
        body: { sourceVariableId: sourceId, target, transform: sent.transform, value: sent.value },
      }),
    enabled: isReady,
    retry: false,
  });
  return (
    <div className={classes.try}>
      <TextInput label={t("flows.tryLabel")} value={value} onChange={(event) => setValue(event.currentTarget.value)} />
      <div role="status">
        {isReady && data && !error && (
          <Text size="sm" mt={6}>
            {data.result === null ? (
              t("flows.tryNothing")
            ) : (
              <>
                {t("flows.tryResult")} <strong>{valueText(data.result, { type: "text" }, t)}</strong>
              </>
            )}
          </Text>
        )}
        {isReady && data?.refusal && (
          <Text size="sm" c="var(--ly-warn)">
            {t("flows.tryRefused", { reason: t(`rawData.refusals.${data.refusal}`) })}
          </Text>
        )}
      </div>
    </div>
  );
}
