import { Anchor, List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { MeasuresSettings } from "#shared/measures/measures.ts";
import { settingLines } from "#shared/measures/measuresText.ts";

const notCovered = ["courseData", "statements", "log", "shared", "sent"] as const;

/** The settings that are changed elsewhere, for admins with links to them. */
export function SettingLines({ settings, companyId }: { settings: MeasuresSettings; companyId?: string }) {
  const { t } = useTranslation();
  const linkTo = (tab: string, label: string) => (
    <Anchor component={Link} to={`/companies/${companyId}?tab=${tab}`} size="sm">
      {label}
    </Anchor>
  );
  return (
    <>
      <List size="sm" maw="82ch" mb="sm">
        {settingLines(settings).map(({ key, values }) => (
          <List.Item key={key}>{t(`measures.settings.${key}`, { ...values })}</List.Item>
        ))}
      </List>
      {companyId && (
        <Text size="sm">
          {linkTo("settings", t("measures.toSettings"))}
          {" · "}
          {linkTo("managers", t("measures.toManagers"))}
        </Text>
      )}
    </>
  );
}

/** What no choice changes. */
export function NotCovered() {
  const { t } = useTranslation();
  return (
    <List size="sm" maw="82ch">
      {notCovered.map((key) => (
        <List.Item key={key}>{t(`measures.notCovered.${key}`)}</List.Item>
      ))}
    </List>
  );
}
