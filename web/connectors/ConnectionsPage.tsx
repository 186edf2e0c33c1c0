import { Button, Tabs } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router";
import { connectionTabs, movedTabs } from "#web/connectors/connectionTabs.ts";
import { ConnectorDialog } from "#web/connectors/ConnectorDialog.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useTabInView } from "#web/core/layout/useTabInView.ts";

/** What the platform is connected to. */
export function ConnectionsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [adding, add] = useDisclosure();
  const [first] = connectionTabs;
  const current = connectionTabs.find(({ key }) => key === params.get("tab")) ?? first;
  const tabList = useTabInView(current?.key ?? null);
  const moved = movedTabs[params.get("tab") ?? ""];
  if (moved) return <Navigate to={moved} replace />;
  return (
    <>
      <PageHead
        title={t("connectors.title")}
        line={t("connectors.line")}
        actions={
          current === first && (
            <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={add.open}>
              {t("connectors.add")}
            </Button>
          )
        }
      />
      <Tabs
        value={current?.key ?? null}
        onChange={(next) => setParams(next && next !== first?.key ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} mb="lg" style={{ flexWrap: "nowrap", overflowX: "auto" }}>
          {connectionTabs.map(({ key, label }) => (
            <Tabs.Tab key={key} value={key}>
              {t(label)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {connectionTabs.map(({ key, Panel }) => (
          <Tabs.Panel key={key} value={key}>
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
      {adding && <ConnectorDialog onClose={add.close} />}
    </>
  );
}
