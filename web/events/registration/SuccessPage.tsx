import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";
import { Heading } from "#web/core/layout/Heading.tsx";
import { EventTimes } from "#web/events/public/EventCard.tsx";
import { readOutcome } from "#web/events/registration/registrationDraft.ts";
import { eventQuery } from "#web/events/public/eventQuery.ts";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import publicClasses from "#web/events/public/PublicPage.module.css";
import classes from "#web/events/registration/SuccessPage.module.css";
import { SignInArtwork } from "#web/core/brand/SignInArtwork.tsx";
import { locationOf } from "#web/events/eventLocation.ts";
import { CONFIRM_HOURS } from "#shared/eventRegistrations.ts";

/** /events/{slug}/success: what comes next. After a reload this tab still knows it; elsewhere a general text stands here. */
export function SuccessPage() {
  const { t } = useTranslation();
  const { slug = "" } = useParams();
  const [search] = useSearchParams();
  const kept = readOutcome(slug);
  const outcome = kept && (kept.reference ?? "") === (search.get("ref") ?? "") ? kept : null;
  const { data } = useQuery({ ...eventQuery(slug, ""), retry: false });
  const event = data?.event;
  const what = !outcome
    ? "general"
    : outcome.next === "check_mail"
      ? ("checkMail" as const)
      : outcome.state === "waitlisted"
        ? "waitlisted"
        : outcome.state === "pending_approval"
          ? "pendingApproval"
          : outcome.state === "confirmed"
            ? "confirmed"
            : "done";
  return (
    <PublicPage>
      <div className={classes.page}>
        <div className={classes.art} aria-hidden>
          <SignInArtwork />
        </div>
        <div>
          <Heading className={publicClasses.title}>{t(`events.success.${what}`)}</Heading>
          <p className={publicClasses.lead}>
            {t(
              what === "checkMail"
                ? `events.success.checkMail${outcome?.ending ?? "Place"}`
                : `events.success.${what}Text`,
              { email: outcome?.email ?? "", count: CONFIRM_HOURS },
            )}
          </p>
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
            {event && (
              <Button
                component="a"
                href={event.calendarUrl}
                size="md"
                variant={what === "confirmed" ? "filled" : "default"}
                leftSection={<IconCalendarPlus size={18} stroke={1.7} />}
              >
                {t("events.addToCalendar")}
              </Button>
            )}
            <Button component={Link} to="/events" size="md" variant="default">
              {t("events.seeAll")}
            </Button>
          </div>
          {what === "checkMail" && (
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
