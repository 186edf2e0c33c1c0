import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { useUser } from "#web/core/session/session.tsx";
import { settingsPanels } from "#web/settings/settingsPanels.ts";
import { settingsTabs } from "#web/core/menu/settingsTabs.ts";
import { isAcademyAdmin } from "#shared/core/users.ts";

/** /admin/settings: a tab for each part. Admins of one company see only the integrations. */
export function SettingsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const user = useUser();
  const tabs = settingsTabs.filter(({ isFor }) => isFor(user));
  const [first] = tabs;
  const current = tabs.find(({ key }) => key === search.get("tab")) ?? first;
  const tabList = useTabInView(current?.key ?? null);
  return (
    <>
      <PageHead title={t("settings.title")} line={t(isAcademyAdmin(user) ? "settings.line" : "settings.companyLine")} />
      <Tabs
        value={current?.key ?? null}
        onChange={(next) => setSearch(next && next !== first?.key ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List
          ref={tabList}
          mb="lg"
          aria-label={t("settings.tabs")}
          style={{ flexWrap: "nowrap", overflowX: "auto" }}
        >
          {tabs.map(({ key, label }) => (
            <Tabs.Tab key={key} value={key}>
              {t(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ key }) => {
          const Panel = settingsPanels[key];
          return (
            <Tabs.Panel key={key} value={key}>
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}
