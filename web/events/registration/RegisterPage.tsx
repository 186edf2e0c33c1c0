import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useParams, useSearchParams } from "react-router";
import { Heading } from "#web/core/layout/Heading.tsx";
import { isStatus } from "#web/core/http/http.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { EventTimes } from "#web/events/public/EventCard.tsx";
import { EventNotice } from "#web/events/public/EventNotice.tsx";
import { eventQuery } from "#web/events/public/eventQuery.ts";
import { EventNotFound } from "#web/events/public/EventNotFound.tsx";
import { PhaseDot } from "#web/events/PhaseStatus.tsx";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import classes from "#web/events/registration/RegisterPage.module.css";
import { RegistrationForm } from "#web/events/registration/RegistrationForm.tsx";
import { registrationVerb } from "#web/events/public/registrationVerb.ts";
import { locationOf } from "#web/events/eventLocation.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

/** /events/{slug}/register: the registration form next to the event. */
export function RegisterPage() {
  const { slug = "" } = useParams();
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  const { data, error } = useQuery(eventQuery(slug, code));
  if (error && !isStatus(error, 404) && !data) throw error;
  if (error && !data)
    return (
      <PublicPage>
        <EventNotFound slug={slug} code={code} />
      </PublicPage>
    );
  if (!data)
    return (
      <PublicPage>
        <PageSkeleton />
      </PublicPage>
    );
  if (!data.event)
    return data.movedTo ? (
      <Navigate to={{ pathname: `/events/${data.movedTo}/register`, search: search.toString() }} replace />
    ) : (
      <PublicPage>
        <EventNotFound slug={slug} code={code} />
      </PublicPage>
    );
  return (
    <PublicPage>
      <Registration event={data.event} code={code} />
    </PublicPage>
  );
}

function Registration({ event, code }: { event: PublicEvent; code: string }) {
  const { t } = useTranslation();
  const { phase, registrationMode, myRegistration, slug, title } = event;
  const isOpen = (phase === "open" || phase === "waitlist_open") && registrationMode !== "external" && !myRegistration;
  const eventUrl = `/events/${slug}${code ? `?code=${encodeURIComponent(code)}` : ""}`;
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Link to={eventUrl} className={publicClasses.parent}>
          {title}
        </Link>
        <Heading className={publicClasses.title} title={t("events.verbs.registerFor", { title })}>
          {t(`events.verbs.${registrationVerb(event)}`)}
        </Heading>
      </header>
      <aside className={classes.aside} aria-label={title}>
        <div className={classes.card}>
          <p className={classes.title}>{title}</p>
          <EventTimes event={event} />
          <p className={classes.place}>{locationOf(event)}</p>
        </div>
      </aside>
      <div className={classes.main}>
        {isOpen && registrationMode === "approval" && phase === "waitlist_open" && (
          <p className={classes.note}>{t("events.applyFull")}</p>
        )}
        {isOpen ? (
          <RegistrationForm event={event} code={code} />
        ) : (
          <div className={classes.closed}>
            <EventNotice event={event} />
            {phase !== "cancelled" && phase !== "ended" && !myRegistration && (
              <p>
                <PhaseDot phase={phase} />
              </p>
            )}
            <Link to={eventUrl}>{t("events.backToEvent")}</Link>
          </div>
        )}
      </div>
    </div>
  );
}
