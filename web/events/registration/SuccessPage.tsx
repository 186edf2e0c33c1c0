import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { isStatus } from "#web/core/http/http.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { EventAction } from "#web/events/public/EventAction.tsx";
import { EventNotFound } from "#web/events/public/EventNotFound.tsx";
import { EventTimes } from "#web/events/public/EventCard.tsx";
import { type Outcome, readOutcome } from "#web/events/registration/registrationDraft.ts";
import { eventQuery } from "#web/events/public/eventQuery.ts";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import classes from "#web/events/registration/SuccessPage.module.css";
import { SignInArtwork } from "#web/core/brand/SignInArtwork.tsx";
import { locationOf } from "#web/events/eventLocation.ts";
import { i18n } from "#web/core/i18n.ts";
import { CONFIRM_HOURS } from "#shared/events/eventRegistrations.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

/** /events/{slug}/success: the result and the next step. Without a result in this tab, nothing is claimed. */
export function SuccessPage() {
  const { t } = useTranslation();
  const { slug = "" } = useParams();
  const [search] = useSearchParams();
  const stored = readOutcome(slug);
  const outcome = stored && (stored.reference ?? "") === (search.get("ref") ?? "") ? stored : null;
  const { data, error, isPending } = useQuery({ ...eventQuery(slug, ""), retry: false });
  const event = data?.event;
  // The current registration, for a signed-in person with a verified address; guests see the reply to the form.
  const registration = outcome?.reference ? event?.myRegistration : null;
  const result = resultOf(outcome && registration ? { ...outcome, state: registration.state } : outcome);
  if (!outcome && isStatus(error, 404)) return <EventNotFound slug={slug} code="" />;
  if (!outcome && isPending) return <PageSkeleton />;
  return (
    <PublicPage>
      <div className={classes.page}>
        <div className={classes.art} aria-hidden>
          <SignInArtwork />
        </div>
        <div>
          <Heading className={publicClasses.title}>
            {t(`events.success.${result === "checkMail" && !outcome?.sendsMail ? "notFinished" : result}`)}
          </Heading>
          {registration?.waitlistPosition && (
            <p className={publicClasses.lead}>
              {t("events.success.position", { position: registration.waitlistPosition })}
            </p>
          )}
          <p className={publicClasses.lead}>
            {outcome && !outcome.sendsMail
              ? t(withoutMailText(outcome), { email: outcome.email, organiser: organiserOf(event) })
              : t(
                  result === "checkMail"
                    ? `events.success.checkMail${outcome?.expected ?? "Place"}`
                    : `events.success.${result}Text`,
                  { email: outcome?.email ?? "", count: CONFIRM_HOURS },
                )}
          </p>
          {outcome?.next === "done" && !outcome.reference && (
            <p className={classes.hint}>{t("events.success.earlier")}</p>
          )}
          {outcome?.reference && (
            <p className={classes.reference}>
              {t("events.reference")} <code>{outcome.reference}</code>
            </p>
          )}
          {event && (
            <div className={classes.event}>
              <p>
                <Link to={`/events/${slug}`}>{event.title}</Link>
              </p>
              <EventTimes event={event} />
              <p className={classes.place}>{locationOf(event)}</p>
            </div>
          )}
          <div className={classes.buttons}>
            {event && !outcome && <EventAction event={event} />}
            {registration && (
              <Button component={Link} to={registration.path} size="md">
                {t("events.success.open")}
              </Button>
            )}
            {event && (
              <Button
                component="a"
                href={event.calendarUrl}
                size="md"
                variant={result === "confirmed" && !registration ? "filled" : "default"}
                leftSection={<IconCalendarPlus size={18} stroke={1.7} />}
              >
                {t("events.addToCalendar")}
              </Button>
            )}
            <Button component={Link} to="/events" size="md" variant="default">
              {t("events.seeAll")}
            </Button>
          </div>
          {result === "checkMail" && outcome?.sendsMail && (
            <p className={classes.hint}>
              {t("events.success.noMail")}{" "}
              <Link to={`/events/${slug}/register`}>{t("events.success.registerAgain")}</Link>
            </p>
          )}
        </div>
      </div>
    </PublicPage>
  );
}

/** What to do without emails, as a translation key. */
function withoutMailText({ next, reference }: Outcome) {
  if (next === "check_mail") return "events.success.withoutMail.confirm";
  return reference ? "events.success.withoutMail.own" : "events.success.withoutMail.guest";
}
const organiserOf = (event: PublicEvent | null | undefined) =>
  event?.organiserEmail || event?.organiserName || i18n.t("events.success.withoutMail.organiser");

/** The result as a translation key. */
function resultOf(outcome: Outcome | null) {
  if (!outcome) return "general";
  if (outcome.next === "check_mail") return "checkMail";
  switch (outcome.state) {
    case "waitlisted":
      return "waitlisted";
    case "pending_approval":
      return "pendingApproval";
    case "confirmed":
      return "confirmed";
    default:
      return "done";
  }
}
