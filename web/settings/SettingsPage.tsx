import { Tabs } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { GeneralTab } from "#web/settings/GeneralTab.tsx";
import { PolicyTab } from "#web/settings/PolicyTab.tsx";
import { academies } from "#shared/settings/settings.ts";

/** /admin/settings: academy and privacy policy. */
export function SettingsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const { data } = useSuspenseQuery(queryFor(academies.settings));
  const tab = search.get("tab") === "policy" ? "policy" : "general";
  return (
    <>
      <PageHead title={t("settings.title")} line={t("settings.line")} />
      <Tabs value={tab} onChange={(next) => setSearch(next === "policy" ? { tab: next } : {})} keepMounted={false}>
        <Tabs.List mb="lg" aria-label={t("settings.tabs")}>
          <Tabs.Tab value="general">{t("settings.general")}</Tabs.Tab>
          <Tabs.Tab value="policy">{t("settings.policy")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralTab settings={data} lastBackup={data.lastBackup} />
        </Tabs.Panel>
        <Tabs.Panel value="policy">
          <PolicyTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
