import { CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { AnalyticsFilters } from "#web/analysis/figures/AnalyticsFilters.tsx";
import { useAnalyticsFilter } from "#web/analysis/figures/useAnalyticsFilter.ts";
import { countedNames } from "#web/analysis/figures/useCountedLink.ts";
import { ConversationMenu } from "#web/chatbots/transcripts/ConversationMenu.tsx";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { analyticsRows, countedBy } from "#shared/analyticsRows.ts";
import { connectors } from "#shared/connectors.ts";
import type { Reply } from "#shared/route.ts";

const MICROS = 1_000_000;
type Row = Reply<typeof analyticsRows.conversations>["items"][number];

/** The conversations of the filter, or those of them that a figure counts; the address says which. */
export function CountedConversations() {
  const { t } = useTranslation();
  const state = useAnalyticsFilter();
  const [params, setParams] = useSearchParams();
  const currency = useQuery(queryFor(connectors.spending)).data?.currency ?? "EUR";
  const sent = Object.fromEntries(
    countedNames.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])),
  );
  const by = countedBy.safeParse(sent).data ?? {};
  const only = useNarrowing(by);
  const outcome = ({ outcome: how, unanswered }: Row) => {
    if (how === "goal") return <StatusDot tone="ok">{t("analysis.review.goal")}</StatusDot>;
    if (unanswered > 0)
      return <StatusDot tone="warn">{t("analysis.review.unanswered", { count: unanswered })}</StatusDot>;
    return how === "ended" ? <StatusDot tone="idle">{t("analysis.review.ended")}</StatusDot> : <Num value={null} />;
  };
  const who = ({ person }: Row) => person?.name ?? t("analysis.analytics.visitor");
  const showAll = () =>
    setParams(
      (before) => new URLSearchParams([...before].filter(([name]) => !(countedNames as string[]).includes(name))),
      {
        preventScrollReset: true,
      },
    );
  return (
    <>
      <AnalyticsFilters {...state} />
      {only.length > 0 && (
        <p className={classes.only}>
          {t("analysis.analytics.onlyWith", { what: only.join(", ") })}
          <CloseButton size="sm" aria-label={t("analysis.analytics.removeOnly")} onClick={showAll} />
        </p>
      )}
      <DataTable
        list={analyticsRows.conversations}
        query={{ ...state.filter, ...sent }}
        search={t("analysis.analytics.conversationsSearch")}
        noun={t("analysis.analytics.conversationsNoun")}
        rowKey={(row) => row.id}
        name={(row) => row.title || t("analysis.analytics.untitled")}
        to={(row) => `/admin/chatbots/edit/${row.chatbotId}?tab=conversations&conversation=${row.id}`}
        menu={(row) => <ConversationMenu id={row.id} chatbotId={row.chatbotId} />}
        columns={[
          { key: "title", head: t("analysis.analytics.first") },
          {
            key: "person",
            head: t("analysis.review.person"),
            render: (row) => (
              <>
                {who(row)}
                {row.company && <span className={classes.dim}>{row.company}</span>}
              </>
            ),
          },
          { key: "chatbot", head: t("analysis.analytics.chatbot"), render: (row) => row.chatbot },
          {
            key: "course",
            head: t("analysis.analytics.course"),
            minor: true,
            render: (row) => row.course ?? <Num value={null} />,
          },
          {
            key: "questions",
            head: t("analysis.analytics.messages"),
            align: "right",
            render: (row) => <Num value={row.questions} />,
          },
          { key: "outcome", head: t("analysis.analytics.outcome"), render: outcome },
          {
            key: "cost",
            head: t("analysis.analytics.cost"),
            align: "right",
            minor: true,
            render: (row) =>
              row.costMicros === 0 ? (
                <span className={classes.muted}>{t("analysis.analytics.free")}</span>
              ) : (
                formatMoney(row.costMicros / MICROS, currency)
              ),
          },
          { key: "startedAt", head: t("analysis.analytics.began"), render: (row) => <Time at={row.startedAt} /> },
        ]}
        phone={(row) => ({ line: who(row), side: <Time at={row.startedAt} />, sideLine: outcome(row) })}
        empty={{ title: t("analysis.analytics.noConversations"), text: t("analysis.analytics.noConversationsText") }}
      />
    </>
  );
}

/** What narrows the filter, in words. */
function useNarrowing({
  figure,
  promptVersionId,
  documentId,
  weekday,
  hour,
  leftAfter,
}: ReturnType<typeof countedBy.parse>) {
  const { t } = useTranslation();
  const key = (name: "prompt" | "document") => `analysis.analytics.counted.${name}` as const;
  return [
    figure && t(`analysis.analytics.counted.${figure}`),
    promptVersionId && t(key("prompt")),
    documentId && t(key("document")),
    weekday &&
      hour !== undefined &&
      t("analysis.analytics.counted.weekdayHour", { day: t(`analysis.analytics.weekdays.${weekday as 1}`), hour }),
    leftAfter &&
      t("analysis.analytics.counted.leftAfter", {
        questions: t("analysis.analytics.questionCount", { count: leftAfter }),
      }),
  ].filter((one) => typeof one === "string" && one !== "");
}
