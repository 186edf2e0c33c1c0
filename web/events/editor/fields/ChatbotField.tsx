import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { chatbots } from "#shared/chatbots/chatbots.ts";

type Props = { value: string | null; onChange: (id: string | null) => void; error?: ReactNode };

/** Selects a published public chatbot, or none. */
export function ChatbotField(props: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(chatbots.list, { query: { status: "published", size: 200 } }));
  const open = (data?.items ?? []).filter(({ access }) => access === "public");
  return (
    <Select
      {...props}
      label={<OptionalLabel>{t("events.fields.chatbotId")}</OptionalLabel>}
      description={t("events.edit.chatbotHint")}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("core.remove") }}
      nothingFoundMessage={t("web.table.noMatches")}
      data={open.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
