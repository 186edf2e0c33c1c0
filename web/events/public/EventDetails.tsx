import { Button } from "@mantine/core";
import { IconMessageChatbot } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { Agenda } from "#web/events/public/Agenda.tsx";
import { EventCard } from "#web/events/public/EventCard.tsx";
import classes from "#web/events/public/EventDetails.module.css";
import { EventNotice } from "#web/events/public/EventNotice.tsx";
import { Markdown } from "#web/core/display/Markdown.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import { EventAction } from "#web/events/public/EventAction.tsx";
import { Speakers } from "#web/events/public/Speakers.tsx";
import { timeSpan } from "#web/events/eventTimes.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

type Props = {
  event: PublicEvent;
  /** Access code from the URL, passed on to the form. */
  code?: string;
  /** In the editor: inert, and the title is not an h1. */
  preview?: boolean;
};

/** The page content of an event. Its layout depends on its own width (container query). */
export function EventDetails({ event, code, preview }: Props) {
  const { t } = useTranslation();
  const title = event.title || t("events.untitled");
  return (
    <article className={classes.details} inert={preview} data-preview={preview || undefined}>
      <div className={classes.grid}>
        <header className={classes.head}>
          <Link to="/events" className={publicClasses.parent}>
            {t("events.all")}
          </Link>
          {preview ? <p className={classes.title}>{title}</p> : <Heading className={classes.title}>{title}</Heading>}
          {event.summary && <p className={publicClasses.lead}>{event.summary}</p>}
          <EventNotice event={event} />
        </header>
        <div className={classes.cover}>
          {event.coverUrl ? <img src={event.coverUrl} alt="" /> : <Cover code={event.id} />}
        </div>
        <div className={classes.card}>
          <EventCard event={event} action={<EventAction event={event} code={code} wide />} />
        </div>
        <div className={classes.body}>
          {event.description && (
            <section aria-labelledby="event-about">
              <h2 id="event-about">{t("events.about")}</h2>
              <Markdown from={3}>{event.description}</Markdown>
            </section>
          )}
          {event.agenda.length > 0 && <Agenda agenda={event.agenda} speakers={event.speakers} />}
          {event.chatbotId && (
            <Button
              component="a"
              href={`/chatbot/${event.chatbotId}?event=${event.id}`}
              target="_blank"
              variant="default"
              w="fit-content"
              leftSection={<IconMessageChatbot size={18} stroke={1.7} />}
            >
              {t("events.askChatbot")}
            </Button>
          )}
          {event.speakers.length > 0 && <Speakers speakers={event.speakers} />}
        </div>
      </div>
      <div className={classes.sticky}>
        <div className={classes.stickyWords}>
          <strong>{formatDateIn(event.startsAt, event.timezone)}</strong>
          <span>{timeSpan(event)}</span>
        </div>
        <EventAction event={event} code={code} />
      </div>
    </article>
  );
}
