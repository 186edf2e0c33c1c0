import { useTranslation } from "react-i18next";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import classes from "#web/events/public/Speakers.module.css";
import type { PublicEvent } from "#shared/events/eventViews.ts";

/** The speakers with role and biography. */
export function Speakers({ speakers }: Pick<PublicEvent, "speakers">) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="event-speakers">
      <h2 id="event-speakers">{t("events.speakers")}</h2>
      <ul className={classes.speakers}>
        {speakers.map(({ id, name, role, bio, photoUrl }) => (
          <li key={id}>
            {photoUrl ? <img src={photoUrl} alt="" width={48} height={48} /> : <PersonMark name={name} size={48} />}
            <div>
              <strong>{name}</strong>
              {role && <span className={classes.role}>{role}</span>}
              {bio && <p>{bio}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
