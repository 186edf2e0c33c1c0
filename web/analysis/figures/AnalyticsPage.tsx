import { Tabs } from "@mantine/core";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { AgreementTab } from "#web/analysis/AgreementTab.tsx";
import { AnalyticsExport } from "#web/analysis/figures/AnalyticsExport.tsx";
import { AnalyticsFigures } from "#web/analysis/figures/AnalyticsFigures.tsx";
import { CountedConversations } from "#web/analysis/figures/CountedConversations.tsx";
import { UnansweredTab } from "#web/analysis/UnansweredTab.tsx";
import { countedNames } from "#web/analysis/figures/useCountedLink.ts";
import { RelatedPages } from "#web/analysis/RelatedPages.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";

const tabs = ["figures", "conversations", "unanswered", "scores"] as const;
/** URL parameters that only the lists use. */
const listState: string[] = ["tab", "q", "page", "size", "sort", "status", "ownerId", "question", ...countedNames];

/** Figures of conversations, and questions without an answer. */
export function AnalyticsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const current = tabs.find((key) => key === params.get("tab")) ?? "figures";
  const change = (next: string | null) =>
    setParams(
      (before) => {
        const kept = new URLSearchParams([...before].filter(([name]) => !listState.includes(name)));
        if (next && next !== "figures") kept.set("tab", next);
        return kept;
      },
      { preventScrollReset: true },
    );
  return (
    <>
      <PageHead
        title={t("analysis.analytics.title")}
        line={
          <>
            {t("analysis.analytics.line")}
            <RelatedPages current="figures" />
          </>
        }
        actions={current === "figures" && <AnalyticsExport />}
      />
      <Tabs value={current} onChange={change} keepMounted={false}>
        <Tabs.List mb="lg">
          {tabs.map((key) => (
            <Tabs.Tab key={key} value={key}>
              {t(`analysis.analytics.tabs.${key}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="figures">
          <Suspense fallback={<PageSkeleton />}>
            <AnalyticsFigures />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="conversations">
          <CountedConversations />
        </Tabs.Panel>
        <Tabs.Panel value="scores">
          <AgreementTab />
        </Tabs.Panel>
        <Tabs.Panel value="unanswered">
          <UnansweredTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
