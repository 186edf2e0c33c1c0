import { useTranslation } from "react-i18next";
import { careNoticeText } from "#web/care/careNoticeText.ts";
import { kindOf } from "#web/conversations/botKind.ts";
import type { Channel } from "#web/conversations/chatState.ts";
import classes from "#web/conversations/chat.module.css";
import transcriptClasses from "#web/conversations/transcript.module.css";
import { useUser } from "#web/core/session/session.tsx";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";

type Props = { bot: PublicBot; channel: Channel; startedAt: string | null; hasTurns: boolean };

/** Shown before the first message: the kind of chatbot, who can read the conversation, and the greeting. */
export function Opening({ bot, channel, startedAt, hasTurns }: Props) {
  const { t, i18n } = useTranslation();
  const user = useUser();
  const isVisitor = channel === "embed" || !user;
  const reader = isVisitor ? "visitor" : "person";
  return (
    <>
      <p className={classes.notice}>
        {t(`chat.notice.${kindOf(bot)}`)}
        <br />
        {t(`chat.notice.${channel === "preview" ? channel : reader}`, { academy: bot.academy })}
        {bot.care && channel !== "preview" && (
          <>
            <br />
            {careNoticeText(t, bot.care)}
          </>
        )}
      </p>
      {startedAt && hasTurns && (
        <p className={classes.day}>
          <time dateTime={startedAt}>{dayAndTime(startedAt, i18n.language)}</time>
        </p>
      )}
      {bot.greeting && (
        <div className={classes.answer}>
          <p className={transcriptClasses.plain}>{bot.greeting}</p>
        </div>
      )}
    </>
  );
}

/** "Today, 14:06", or the date. */
export function dayAndTime(at: string, language: string) {
  const date = new Date(at);
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(date);
  const days = Math.round((startOfDay(date) - startOfDay(new Date())) / 86_400_000);
  const day =
    days > -2
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(days, "day")
      : new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }).format(date);
  return `${day.slice(0, 1).toUpperCase()}${day.slice(1)}, ${time}`;
}
const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
