import { Anchor, Checkbox, Group, NumberInput, Radio, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { EstimateText } from "#web/analysis/EstimateText.tsx";
import { addDays } from "#shared/core/dates.ts";
import { call, queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { browserZone } from "#web/core/format/zone.ts";
import { toast } from "#web/core/toast/toast.ts";
import { analysisRuns, MAX_CONVERSATIONS, runKind, type RunInput, type Sample } from "#shared/analysis/analysisRuns.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import { companies } from "#shared/companies/companies.ts";
import { connectors, isLanguageModel } from "#shared/connectors/connectors.ts";

const PERIOD_DAYS = 30;
const DEFAULT_SAMPLE = 200;
const MAX_SEED = 1_000_000;

/** Starts an analysis: conversations, task and an estimate. */
export function RunDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useApiMutation(analysisRuns.create, { quiet: true });
  const zone = browserZone();
  const [today] = useState(() => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(new Date()));
  const [seed] = useState(() => Math.floor(Math.random() * MAX_SEED));
  const all = { query: { size: 200 } };
  const bots = useQuery(queryFor(chatbots.list, all)).data?.items ?? [];
  const tenants = useQuery(queryFor(companies.choices)).data?.items ?? [];
  const found = useQuery(queryFor(connectors.list)).data?.items ?? [];
  const models = found.filter(({ kind, state }) => isLanguageModel(kind) && state !== "disabled");
  const form = useForm({
    initialValues: {
      title: "",
      kind: "counts" as RunInput["kind"],
      question: "",
      connectorId: null as string | null,
      chatbotId: null as string | null,
      companyId: null as string | null,
      from: addDays(today, 1 - PERIOD_DAYS),
      to: today,
      sample: "all" as Sample["kind"],
      withTone: false,
      count: DEFAULT_SAMPLE as number | string,
      seed,
    },
  });
  const { chatbotId, companyId, from, to, kind, connectorId } = form.values;
  const count = Number(form.values.count) || 1;
  const sample: Sample = {
    all: { kind: "all" as const },
    newest: { kind: "newest" as const, count },
    random: { kind: "random" as const, count, seed: form.values.seed },
  }[form.values.sample];
  const filter = { from, to, zone, ...(chatbotId && { chatbotId }), ...(companyId && { companyId }) };
  const scope = { filter, sample, connectorId: kind === "counts" ? null : connectorId };
  const [settled] = useDebouncedValue(JSON.stringify(scope), 250);
  const estimate = useQuery({
    queryKey: ["analysisEstimate", settled],
    queryFn: () => call(analysisRuns.estimate, { body: JSON.parse(settled) as typeof scope }),
    retry: false,
  }).data;

  const { failure, attempt } = useFormErrors(form.setErrors, { toField: (path) => path.replace("filter.", "") });
  const save = () =>
    attempt(async () => {
      const { title, question, withTone } = form.values;
      const body = { title, kind, question, withTone, ...scope };
      const { id } = await create.mutateAsync({ body });
      toast.done(t("analysis.runs.started"));
      onClose();
      await navigate(`/analysis/chatbot?run=${id}`);
    });
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={600}
      title={t("analysis.runs.new")}
      submitLabel={t("analysis.runs.start")}
      busy={create.isPending}
      disabled={estimate?.conversations === 0}
      failure={failure}
      onSubmit={save}
    >
      <TextInput
        label={t("analysis.runs.name")}
        placeholder={t("analysis.runs.namePlaceholder")}
        data-autofocus
        {...form.getInputProps("title")}
      />
      <Radio.Group label={t("analysis.runs.kind")} {...form.getInputProps("kind")}>
        <Stack gap="xs" mt={4}>
          {runKind.options.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`analysis.runs.kinds.${value}`)}
              description={t(`analysis.runs.kindTexts.${value}`)}
              disabled={value !== "counts" && models.length === 0}
            />
          ))}
        </Stack>
      </Radio.Group>
      {models.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("analysis.runs.noConnections")}{" "}
          <Anchor component={Link} to="/admin/connectors">
            {t("analysis.runs.connect")}
          </Anchor>
        </Text>
      )}
      {kind === "question" && (
        <Textarea label={t("analysis.runs.question")} autosize minRows={2} {...form.getInputProps("question")} />
      )}
      {kind !== "counts" && (
        <Select
          label={t("analysis.runs.connection")}
          description={t("analysis.runs.connectionHint")}
          data={models.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("connectorId")}
        />
      )}
      <Group grow align="start">
        <Select
          label={t("analysis.runs.chatbot")}
          placeholder={t("analysis.runs.all")}
          clearable
          data={bots.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("chatbotId")}
        />
        <Select
          label={t("analysis.runs.company")}
          placeholder={t("analysis.runs.all")}
          clearable
          searchable
          data={tenants.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("companyId")}
        />
      </Group>
      <Group grow align="start">
        <TextInput type="date" label={t("analysis.runs.from")} {...form.getInputProps("from")} />
        <TextInput type="date" label={t("analysis.runs.to")} {...form.getInputProps("to")} />
      </Group>
      <Group grow align="start">
        <Select
          label={t("analysis.runs.sample")}
          description={
            form.values.sample === "random" ? t("analysis.runs.seed", { seed: form.values.seed }) : undefined
          }
          allowDeselect={false}
          data={(["all", "newest", "random"] as const).map((value) => ({
            value,
            label: t(`analysis.runs.samples.${value}`),
          }))}
          {...form.getInputProps("sample")}
        />
        {form.values.sample !== "all" && (
          <NumberInput
            label={t("analysis.runs.sampleCount")}
            min={1}
            max={MAX_CONVERSATIONS}
            allowDecimal={false}
            {...form.getInputProps("count")}
          />
        )}
      </Group>
      <Checkbox
        label={t("analysis.runs.withTone")}
        description={t("analysis.runs.withToneHint")}
        {...form.getInputProps("withTone", { type: "checkbox" })}
      />
      <EstimateText estimate={estimate} hasModel={scope.connectorId !== null} />
    </FormDialog>
  );
}
