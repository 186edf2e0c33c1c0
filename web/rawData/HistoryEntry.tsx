import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { conversationReplayPath, replayPath } from "#web/core/format/replayPath.ts";
import { formatElapsed, formatExactTime } from "#web/core/format/format.ts";
import classes from "#web/rawData/rawData.module.css";
import { ValuePills, ValueWords } from "#web/rawData/ValueCell.tsx";
import { valueText } from "#web/variables/valueText.ts";
import type { RawValue } from "#shared/rawData/rawData.ts";

/** Longer values are shown above their origin, not next to it. */
const MAX_BESIDE_CHARS = 12;

type Props = { value: RawValue; chosen: boolean; onChoose: () => void };

/** One value of a history with its origin and session. */
export function HistoryEntry({ value, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const { source, refusal, userId, sessionId, conversationId } = value;
  const isLong = value.privacy !== "sensitive" && valueText(value.value, value, t).length > MAX_BESIDE_CHARS;
  const at = value.t === null ? null : Math.max(0, value.t);
  const origin = () => {
    if (source === "correction")
      return t("rawData.history.correctedBy", {
        name: value.actor || t("rawData.history.someone"),
        reason: value.reason,
      });
    if (refusal) return t(`rawData.refusals.${refusal}`);
    if (value.passedFrom) return `${t("rawData.sources.flow")} ${t("rawData.passedFrom", { label: value.passedFrom })}`;
    return value.part || value.course || t(`rawData.sources.${source}`);
  };
  const owner = value.scope === "company" && value.learner;
  return (
    <li className={classes.entry} data-chosen={chosen || undefined}>
      <UnstyledButton
        className={classes.choose}
        data-long={isLong || undefined}
        data-open={chosen || undefined}
        aria-pressed={chosen}
        onClick={onChoose}
      >
        <span className={classes.entryValue}>
          <ValueWords value={value} />
        </span>
        <span className={classes.entryWords}>
          {origin()}
          <ValuePills value={value} short />
          <span className={classes.entryTime}>
            {[formatExactTime(value.happenedAt), owner].filter(Boolean).join(", ")}
          </span>
        </span>
      </UnstyledButton>
      {userId && sessionId && source !== "correction" && (
        <Link className={classes.session} to={replayPath(sessionId, at)}>
          {at === null ? t("rawData.history.openSession") : t("rawData.history.session", { time: formatElapsed(at) })}
        </Link>
      )}
      {userId && conversationId && source !== "correction" && (
        <Link className={classes.session} to={conversationReplayPath(conversationId, at)}>
          {t("rawData.history.conversation", { time: formatElapsed(at ?? 0) })}
        </Link>
      )}
    </li>
  );
}
