import { useTranslation } from "react-i18next";
import { formatLongDay } from "#web/core/format/format.ts";
import classes from "#web/events/public/Agenda.module.css";
import type { PublicEvent } from "#shared/events/eventViews.ts";

type Props = Pick<PublicEvent, "agenda"> & { speakers: { id: string; name: string }[] };

/** The agenda in the time zone of the event, with the day as a heading if there are several. */
export function Agenda({ agenda, speakers }: Props) {
  const { t } = useTranslation();
  const days = Map.groupBy(agenda, ({ startsAt }) => startsAt.slice(0, 10));
  const names = new Map(speakers.map(({ id, name }) => [id, name]));
  const hasSeveralDays = [...days.keys()].filter(Boolean).length > 1;
  return (
    <section aria-labelledby="event-agenda">
      <h2 id="event-agenda">{t("events.agenda")}</h2>
      {[...days].map(([day, items]) => (
        <div key={day} className={classes.day}>
          {hasSeveralDays && day && <h3>{formatLongDay(day)}</h3>}
          <ol className={classes.agenda}>
            {items.map(({ id, startsAt, title, description, speakerIds }) => (
              <li key={id}>
                <span className={classes.time}>{startsAt.slice(11)}</span>
                <span className={classes.title}>
                  {title}
                  {description && <span>{description}</span>}
                </span>
                <span className={classes.speakers}>
                  {speakerIds.flatMap((speakerId) => names.get(speakerId) ?? []).join(", ")}
                </span>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}
