import { Button, Popover } from "@mantine/core";
import { IconDownload, IconEye, IconPlayerPlay, IconReportAnalytics } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { FeedbackCard } from "#web/analysis/FeedbackCard.tsx";
import classes from "#web/analysis/review.module.css";
import { focusHeading } from "#web/analysis/focusHeading.ts";
import { showTurn } from "#web/analysis/showTurn.ts";
import { AskTodayButton } from "#web/chatbots/comparison/AskTodayButton.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { saveBlob } from "#web/core/api/download.ts";
import { Markdown } from "#web/core/display/Markdown.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDateTime } from "#web/core/format/format.ts";
import { conversationReplayPath } from "#web/core/format/replayPath.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { useUser } from "#web/core/session/session.tsx";
import { analysis } from "#shared/analysis/analysis.ts";
import type { Review } from "#shared/analysis/reviews.ts";
import { isAdmin } from "#shared/core/users.ts";

const icon = { size: 17, stroke: 1.7 };
const shownStates = ["stopped", "cut", "failed", "refused", "limited", "care"] as const;
/** A conversation with its messages and readers, and the feedback next to it. */
export function ReviewTranscript({ id }: { id: string }) {
  const { t } = useTranslation();
  const user = useUser();
  const { data: review } = useSuspenseQuery(queryFor(analysis.review, { params: { id } }));
  const { person, turns, course } = review;
  const title = review.title || review.chatbot;
  const isPhone = useIsPhone();
  const article = useRef<HTMLElement>(null);
  // On a phone it replaces the list, including the link that had the focus.
  useEffect(() => {
    if (isPhone) focusHeading(article.current);
  }, [isPhone]);
  const [params] = useSearchParams();
  const turnId = params.get("turn");
  useEffect(() => {
    if (turnId) showTurn(turnId);
  }, [turnId]);
  const isOwn = person?.id === user?.id;
  const line = t("analysis.review.line", {
    chatbot: review.chatbot,
    when: formatDateTime(review.startedAt),
    count: turns.length,
  });
  return (
    <>
      <article ref={article} aria-label={t("analysis.review.transcript")}>
        {isPhone ? <Heading className={classes.title}>{title}</Heading> : <h2 className={classes.title}>{title}</h2>}
        <p className={classes.line}>
          {isAdmin(user) && person && `${person.name}, `}
          {line}
          {course && `, ${t("analysis.review.inCourse", { course })}`}
        </p>
        <div className={classes.actions}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload {...icon} />}
            onClick={() => download(review, t("analysis.review.you"))}
          >
            {t("analysis.review.download")}
          </Button>
          <Readers readers={review.readers} />
          {isAdmin(user) && person && (
            <Button
              variant="default"
              size="xs"
              component={Link}
              to={`/learners/report/${person.id}`}
              leftSection={<IconReportAnalytics {...icon} />}
            >
              {t("analysis.review.report")}
            </Button>
          )}
          {isAdmin(user) && (
            <Button
              variant="default"
              size="xs"
              component={Link}
              to={conversationReplayPath(id)}
              leftSection={<IconPlayerPlay {...icon} />}
            >
              {t("replay.conversation.link")}
            </Button>
          )}
        </div>
        <ol className={classes.turns}>
          {turns.map((turn, at) => (
            <li key={turn.id} id={`turn-${turn.id}`} tabIndex={-1} className={classes.turn} data-role={turn.role}>
              {turn.role === "user" ? turn.text : <Markdown>{turn.text}</Markdown>}
              {turn.role === "user" && isAdmin(user) && (
                <AskTodayButton
                  questionId={turn.id}
                  answerId={turns[at + 1]?.id ?? null}
                  className={classes.askToday}
                />
              )}
              {turn.sources.length > 0 && (
                <ol className={classes.sources}>
                  {turn.sources.map(({ n, title, heading, page }) => (
                    <li key={n}>{[title, heading, page && `p. ${page}`].filter(Boolean).join(", ")}</li>
                  ))}
                </ol>
              )}
              <StateLine state={turn.state} />
            </li>
          ))}
        </ol>
      </article>
      <FeedbackCard review={review} isOwn={isOwn} />
    </>
  );
}

function StateLine({ state }: { state: Review["turns"][number]["state"] }) {
  const { t } = useTranslation();
  const shown = shownStates.find((one) => one === state);
  return shown ? <p className={classes.dim}>{t(`analysis.review.state.${shown}`)}</p> : null;
}

function Readers({ readers }: Pick<Review, "readers">) {
  const { t } = useTranslation();
  const people = new Set(readers.map(({ name }) => name)).size;
  if (people === 0) return <span className={classes.dim}>{t("analysis.review.seenByNobody")}</span>;
  return (
    <Popover position="bottom-start" width={280}>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconEye {...icon} />}>
          {t("analysis.review.seenBy", { count: people })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={classes.points}>
          {readers.map(({ name, at }) => (
            <li key={`${name} ${at}`}>
              {name}{" "}
              <span className={classes.dim}>
                · <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Saves the conversation as a text file. */
function download({ title, chatbot, turns }: Review, you: string) {
  const text = turns
    .map(
      ({ role, text: said, createdAt }) => `${role === "user" ? you : chatbot}, ${formatDateTime(createdAt)}\n${said}`,
    )
    .join("\n\n");
  saveBlob(new Blob([text], { type: "text/plain;charset=utf-8" }), `${(title || chatbot).slice(0, 60)}.txt`);
}
