import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatBytes, formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { recordings } from "#shared/recordings/recordings.ts";

/** How many recordings of the company are stored, and the button that deletes them; nothing if there are none. */
export function StoredRecordings({ company: { id, name } }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(recordings.stored, { params: { id } }));
  const remove = useApiMutation(recordings.remove, { quiet: true });
  if (!data || data.sessions === 0 || !data.oldest) return null;
  const { sessions, bytes, oldest } = data;
  const ask = () =>
    confirm({
      title: t("companies.recordings.removeTitle", { company: name }),
      text: t("companies.recordings.removeText", { count: sessions }),
      confirmLabel: t("companies.recordings.remove"),
      cancelLabel: t("companies.recordings.keep"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id } });
        toast.done(t("companies.recordings.removed"));
      },
    });
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" maw={520}>
        {t("companies.recordings.stored", { count: sessions, size: formatBytes(bytes), date: formatDate(oldest) })}{" "}
        {t("companies.recordings.kept")}
      </Text>
      <Button variant="default" c="var(--ly-bad)" onClick={ask}>
        {t("companies.recordings.remove")}
      </Button>
    </Group>
  );
}
