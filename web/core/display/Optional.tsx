import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A label with "(optional)" behind it. */
export function Optional({ children }: { children: string }) {
  const { t } = useTranslation();
  return (
    <>
      {children}{" "}
      <Text span inherit c="dimmed" fw={400}>
        {t("core.optional")}
      </Text>
    </>
  );
}
