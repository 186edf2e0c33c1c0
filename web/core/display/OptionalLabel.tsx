import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A label followed by "(optional)". */
export function OptionalLabel({ children }: { children: string }) {
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
