import { Button } from "@mantine/core";
import { IconEye, IconMessages } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { formatDuration } from "#web/core/format/format.ts";
import { replayPath } from "#web/core/format/replayPath.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { CopyLink } from "#web/reports/replay/CopyLink.tsx";
import type { ConversationIndex } from "#web/reports/replay/conversation/conversationIndex.ts";
import classes from "#web/reports/replay/ReplayHead.module.css";
import type { ReplayClock } from "#web/reports/replay/replayClock.ts";
import type { ConversationReplay } from "#shared/reports/replays.ts";

type Props = {
  replay: ConversationReplay;
  index: ConversationIndex;
  clock: ReplayClock;
  linkTo: (second: number) => string;
};

/** Person and facts of the conversation, and who can see that the replay was opened. */
export function ConversationHead({ replay, index, clock, linkTo }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const { id, person, chatbot, chatbotId, company, course, courseId, version, channel, isPreview, outcome } = replay;
  const transcript = `/admin/chatbots/edit/${chatbotId}?tab=conversations&conversation=${id}`;
  const facts: Record<string, ReactNode> = {
    chatbot: <Link to={`/admin/chatbots/edit/${chatbotId}`}>{chatbot}</Link>,
    version: version === null ? t("chatbots.talks.draft") : t("chatbots.versionNumber", { number: version }),
    company,
    course: course && courseId && <Link to={`/courses/${courseId}`}>{course}</Link>,
    session: replay.sessionId && <Link to={replayPath(replay.sessionId)}>{t("replay.conversation.session")}</Link>,
    channel: t(`replay.conversation.channels.${isPreview ? "preview" : channel}`),
    length: formatDuration(index.duration / 1000),
    turns: t("replay.conversation.turns", { count: index.turns.length }),
    zone: t("replay.facts.zone", { zone: replay.zone }),
    outcome: outcome && t(`chatbots.talks.${outcome}`),
  };
  return (
    <div className={classes.head}>
      <PageHead
        {...(person && { parent: { to: `/learners/report/${person.id}`, label: person.name } })}
        title={t("replay.conversation.title", { time: times.dateTime(replay.startedAt) })}
        line={
          <span className={classes.facts}>
            {Object.entries(facts)
              .filter(([, fact]) => fact)
              .map(([name, fact]) => (
                <span key={name}>{fact}</span>
              ))}
          </span>
        }
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to={transcript}
              leftSection={<IconMessages size={17} stroke={1.6} />}
            >
              {t("replay.conversation.transcript")}
            </Button>
            <CopyLink linkTo={linkTo} clock={clock} />
          </>
        }
      />
      <p className={classes.seen}>
        <IconEye size={16} stroke={1.6} aria-hidden />
        <span>
          <SeenText replay={replay} /> {t("replay.conversation.times")}
        </span>
      </p>
    </div>
  );
}

/** Says who can see that the replay was opened. */
function SeenText({ replay: { person, openedAt } }: Pick<Props, "replay">) {
  const { t } = useTranslation();
  const user = useUser();
  const times = useTimes();
  const time = times.time(openedAt);
  if (!person) return t("replay.conversation.visitorSeen");
  if (person.id === user?.id) return t("replay.conversation.ownSeen");
  return t("replay.visible", { name: person.name, time });
}
