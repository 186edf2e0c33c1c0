import { Input, Radio, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/connectors/connectors.module.css";
import { type ConnectorForm, newModel } from "#web/connectors/useConnectorForm.ts";
import { queryFor } from "#web/core/api/api.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { connectors } from "#shared/connectors/connectors.ts";

const FILES = ["config.json", "tokenizer.json", "model.safetensors"];

/** The embedding models on this server, one of which is chosen; what to put where if there is none. */
export function LocalModelField({ form }: { form: ConnectorForm }) {
  const { t } = useTranslation();
  // Files may have been put there since.
  const list = useQuery({ ...queryFor(connectors.localModels), staleTime: 0 });
  if (list.error) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <SkeletonRows rows={2} />;
  const { items } = list.data;
  return (
    <>
      {items.length > 0 && (
        <Radio.Group
          label={t("connectors.local.model")}
          description={t("connectors.local.modelHint")}
          value={form.values.models[0]?.id ?? ""}
          onChange={(id) => form.setFieldValue("models", [{ ...newModel("embedding"), id }])}
          error={form.errors["models"]}
        >
          <Stack gap="sm" mt="xs">
            {items.map(({ name, size, code }) => (
              <Radio
                key={name}
                value={name}
                disabled={code !== null}
                label={<code className={classes.model}>{name}</code>}
                description={
                  code
                    ? `${t(`connectors.causes.${code}`)} ${t(`connectors.remedies.${code}`)}`
                    : t("connectors.local.size", { count: size ?? 0 })
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <div className={classes.place}>
        <Text size="sm">{t(items.length > 0 ? "connectors.local.another" : "connectors.local.none")}</Text>
        <code className={classes.model}>DATA_DIR/models/{t("connectors.local.name")}</code>
        <ul>
          {FILES.map((file) => (
            <li key={file}>
              <code className={classes.model}>{file}</code>
            </li>
          ))}
        </ul>
        <Text size="sm">{t("connectors.local.kind")}</Text>
      </div>
      {items.length === 0 && form.errors["models"] && <Input.Error>{form.errors["models"]}</Input.Error>}
    </>
  );
}
