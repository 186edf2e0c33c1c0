import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { settingsTabs } from "#web/settings/settingsTabs.ts";

/** /admin/settings: academy, admins, mail server and privacy policy, each in a tab. */
export function SettingsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [first] = settingsTabs;
  const current = settingsTabs.find(({ key }) => key === search.get("tab")) ?? first;
  const tabList = useTabInView(current.key);
  return (
    <>
      <PageHead title={t("settings.title")} line={t("settings.line")} />
      <Tabs
        value={current.key}
        onChange={(next) => setSearch(next && next !== first.key ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List
          ref={tabList}
          mb="lg"
          aria-label={t("settings.tabs")}
          style={{ flexWrap: "nowrap", overflowX: "auto" }}
        >
          {settingsTabs.map(({ key, label }) => (
            <Tabs.Tab key={key} value={key}>
              {t(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {settingsTabs.map(({ key, Panel }) => (
          <Tabs.Panel key={key} value={key}>
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
