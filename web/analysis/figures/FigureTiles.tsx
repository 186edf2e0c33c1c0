import { useTranslation } from "react-i18next";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";
import { formatMoney } from "#web/connectors/amounts.ts";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import type { ConversationAnalytics } from "#shared/analysis/conversationAnalytics.ts";

const MICROS = 1_000_000;
export const percentOf = (share: number | null) => formatPercent(share === null ? null : share * 100);

/** The figures of the period, each with its definition and its change. */
export function FigureTiles({ data: { now, before }, currency }: { data: ConversationAnalytics; currency: string }) {
  const { t } = useTranslation();
  const linkTo = useCountedLink();
  const changeOf = (value: number, earlier: number) => {
    if (earlier === 0) return value === 0 ? null : t("analysis.analytics.noneBefore");
    if (value === earlier) return t("analysis.analytics.same");
    const n = formatNumber(Math.abs(value - earlier));
    return t(value > earlier ? "analysis.analytics.more" : "analysis.analytics.less", { n });
  };
  const pointsOf = (value: number | null, earlier: number | null) => {
    if (value === null || earlier === null) return null;
    const points = Math.round((value - earlier) * 1000) / 10;
    if (points === 0) return t("analysis.analytics.noChange");
    const shown = { points: formatNumber(Math.abs(points), 1) };
    return points > 0 ? t("analysis.analytics.pointsUp", shown) : t("analysis.analytics.pointsDown", shown);
  };
  const define = (key: "conversations" | "people" | "goal" | "thumbsUp" | "noAnswer" | "cost") =>
    t(`analysis.analytics.definitions.${key}`);
  const cost = now.costMicros / MICROS;
  const perConversation = now.conversations > 0 && cost > 0 ? formatMoney(cost / now.conversations, currency) : null;
  const costNote =
    now.unpriced > 0
      ? t("analysis.analytics.unpriced", { count: now.unpriced })
      : perConversation && t("analysis.analytics.perConversation", { money: perConversation });
  return (
    <StatTiles>
      <StatTile
        label={t("analysis.analytics.conversations")}
        value={formatNumber(now.conversations)}
        note={changeOf(now.conversations, before.conversations)}
        definition={define("conversations")}
        to={linkTo()}
      />
      <StatTile
        label={t("analysis.analytics.people")}
        value={formatNumber(now.people)}
        note={changeOf(now.people, before.people)}
        definition={define("people")}
        to={linkTo()}
      />
      <StatTile
        label={t("analysis.analytics.goal")}
        value={percentOf(now.goal)}
        note={pointsOf(now.goal, before.goal) ?? t("analysis.analytics.ofEnded", { count: now.ended })}
        definition={define("goal")}
        to={linkTo({ figure: "goal" })}
      />
      <StatTile
        label={t("analysis.analytics.thumbsUp")}
        value={percentOf(now.thumbsUp)}
        note={t("analysis.analytics.ofRatings", { count: now.ratings })}
        definition={define("thumbsUp")}
        to={linkTo({ figure: "thumbsUp" })}
      />
      <StatTile
        label={t("analysis.analytics.noAnswer")}
        value={percentOf(now.noAnswer)}
        note={pointsOf(now.noAnswer, before.noAnswer) ?? t("analysis.analytics.ofAnswers", { count: now.answers })}
        definition={define("noAnswer")}
        to={linkTo({ figure: "noAnswer" })}
      />
      <StatTile
        label={t("analysis.analytics.cost")}
        value={cost === 0 ? t("analysis.analytics.free") : formatMoney(cost, currency)}
        note={costNote}
        definition={define("cost")}
        to={linkTo({ figure: now.costMicros === 0 && now.unpriced > 0 ? "unpriced" : "cost" })}
      />
    </StatTiles>
  );
}
