import { type ComboboxItem, Select, type SelectProps } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";

const withSpaces = (text: string) => text.replaceAll("_", " ");

/** Time zone, searchable by any part of its name. */
export function TimeZoneSelect(props: SelectProps & { value?: string | null }) {
  const { t } = useTranslation();
  const { value } = props;
  const zones = useMemo(
    () => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(value ? [value] : [])])],
    [value],
  );
  return (
    <Select
      label={t("companies.timezone")}
      description={t("companies.timezoneHint")}
      searchable
      allowDeselect={false}
      limit={80}
      nothingFoundMessage={t("companies.noZone")}
      data={zones.map((zone) => ({ value: zone, label: withSpaces(zone) }))}
      filter={({ options, search }) => {
        const words = withSpaces(search)
          .toLowerCase()
          .split(/[\s/]+/)
          .filter(Boolean);
        return (options as ComboboxItem[]).filter(({ label }) =>
          words.every((word) => label.toLowerCase().includes(word)),
        );
      }}
      {...props}
    />
  );
}
