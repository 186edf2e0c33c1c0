import { CloseButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { AnalyticsFilters } from "#web/analysis/figures/AnalyticsFilters.tsx";
import { useAnalyticsFilter } from "#web/analysis/figures/useAnalyticsFilter.ts";
import { countedNames } from "#web/analysis/figures/useCountedLink.ts";
import { ConversationTable } from "#web/chatbots/transcripts/ConversationTable.tsx";
import { analyticsRows, countedBy } from "#shared/analysis/conversationAnalytics.ts";

/** The filtered conversations, or those that one figure counts; the selection is in the URL. */
export function CountedConversations() {
  const { t } = useTranslation();
  const state = useAnalyticsFilter();
  const [params, setParams] = useSearchParams();
  const sent = Object.fromEntries(
    countedNames.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])),
  );
  const by = countedBy.safeParse(sent).data ?? {};
  const only = useNarrowing(by);
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
      <ConversationTable
        list={analyticsRows.conversations}
        query={{ ...state.filter, ...sent }}
        time="startedAt"
        showsChatbot
        to={(row) => `/admin/chatbots/edit/${row.chatbotId}?tab=conversations&conversation=${row.id}`}
        empty={{ title: t("analysis.analytics.noConversations"), text: t("analysis.analytics.noConversationsText") }}
      />
    </>
  );
}

/** The selected figure, row or cell as text. */
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
