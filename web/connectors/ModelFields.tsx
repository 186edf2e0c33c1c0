import { ActionIcon, Autocomplete, Button, Group, Input, NumberInput, Select, TagsInput, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/connectors/connectors.module.css";
import { type ConnectorForm, newModel } from "#web/connectors/useConnectorForm.ts";
import { presets } from "#web/connectors/presets.ts";
import { queryFor } from "#web/core/api/api.ts";
import { canSpeak, connectors, type ModelUse, modelUse } from "#shared/connectors/connectors.ts";

const placeholders = {
  chat: "inputShort",
  embedding: "inputShort",
  transcription: "perMinute",
  speech: "perCharacters",
} as const;
const isSound = (use: ModelUse) => use === "transcription" || use === "speech";

/** The models of a connector with their prices. A saved connector can read the list of its provider. */
export function ModelFields({ form, connectorId }: { form: ConnectorForm; connectorId?: string }) {
  const { t } = useTranslation();
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const offered = useQuery({
    ...queryFor(connectors.models, { params: { id: connectorId ?? "" } }),
    enabled: false,
    retry: false,
  });
  const { models } = form.values;
  const { kind } = presets[form.values.preset];
  const uses = modelUse.options.filter(
    (use) => canSpeak(kind) || !isSound(use) || models.some((model) => model.use === use),
  );
  const reply = offered.data;
  const amountProps = (at: number, name: "input" | "output") => ({
    hideControls: true,
    decimalScale: 4,
    min: 0,
    value: models[at]?.[name] ?? "",
    onChange: (value: string | number) =>
      form.setFieldValue(`models.${at}.${name}`, typeof value === "number" ? value : ""),
  });
  return (
    <Input.Wrapper
      label={t("connectors.form.models")}
      description={t("connectors.form.modelsHint", { currency: spending?.currency ?? "" })}
      error={form.errors["models"]}
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      <div className={classes.models}>
        {models.length > 0 && (
          <div className={`${classes.modelRow} ${classes.modelHead}`} aria-hidden>
            <span>{t("connectors.form.modelId")}</span>
            <span>{t("connectors.form.use")}</span>
            <span>{t("connectors.form.input")}</span>
            <span>{t("connectors.form.output")}</span>
          </div>
        )}
        {models.map((model, at) => (
          <div key={model.key} className={classes.modelRow}>
            <Autocomplete
              aria-label={t("connectors.form.modelId")}
              placeholder={t("connectors.form.modelId")}
              data={reply?.items.map(({ id }) => id) ?? []}
              limit={50}
              maxLength={200}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 14 } }}
              value={model.id}
              onChange={(id) => form.setFieldValue(`models.${at}.id`, id)}
              error={form.errors[`models.${at}.id`]}
            />
            <Select
              aria-label={t("connectors.form.use")}
              allowDeselect={false}
              data={uses.map((value) => ({ value, label: t(`connectors.form.uses.${value}`) }))}
              value={model.use}
              onChange={(use) => use && form.setFieldValue(`models.${at}.use`, use)}
            />
            <NumberInput
              aria-label={t("connectors.form.input")}
              placeholder={t(`connectors.form.${placeholders[model.use]}`)}
              {...amountProps(at, "input")}
            />
            <NumberInput
              aria-label={t("connectors.form.output")}
              placeholder={t("connectors.form.outputShort")}
              disabled={model.use !== "chat"}
              {...amountProps(at, "output")}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              mb={2}
              aria-label={t("connectors.form.removeModel", { model: model.id })}
              title={t("connectors.form.removeModel", { model: model.id })}
              onClick={() => form.removeListItem("models", at)}
            >
              <IconX size={18} stroke={1.7} />
            </ActionIcon>
            {model.use === "speech" && (
              <TagsInput
                className={classes.voices}
                aria-label={t("connectors.form.voices")}
                description={t("connectors.form.voicesHint")}
                placeholder={model.voices.length === 0 ? t("connectors.form.voices") : ""}
                maxTags={50}
                value={model.voices}
                onChange={(voices) => form.setFieldValue(`models.${at}.voices`, voices)}
              />
            )}
            {isSound(model.use) && !canSpeak(kind) && (
              <Text size="sm" c="var(--ly-warn)" className={classes.voices}>
                {t("connectors.form.noSpeech")}
              </Text>
            )}
          </div>
        ))}
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            h={32}
            px={12}
            leftSection={<IconPlus size={16} stroke={1.7} />}
            onClick={() => form.insertListItem("models", newModel())}
          >
            {t("connectors.form.addModel")}
          </Button>
          {connectorId && (
            <Button
              variant="subtle"
              size="compact-sm"
              h={32}
              loading={offered.isFetching}
              onClick={() => void offered.refetch()}
            >
              {t("connectors.form.read")}
            </Button>
          )}
        </Group>
        {reply && (
          <Text size="sm" c={reply.code ? "var(--ly-bad)" : "dimmed"} role="status">
            {reply.code
              ? `${t(`connectors.causes.${reply.code}`)} ${t(`connectors.remedies.${reply.code}`)}`
              : t("connectors.form.readDone", { count: reply.items.length })}
          </Text>
        )}
      </div>
    </Input.Wrapper>
  );
}
