import { Button } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatDateIn, formatTimeIn, formatZone } from "#web/core/format/format.ts";
import classes from "#web/events/public/EventAction.module.css";
import { registrationVerb } from "#web/events/public/registrationVerb.ts";
import type { PublicEvent } from "#shared/events/eventViews.ts";

type Props = {
  event: PublicEvent;
  code?: string | undefined;
  /** Full width, with a sentence if registration is not possible. */
  wide?: boolean;
};

/** The button to register, labelled by the phase of the event, or a sentence if registration is not possible. */
export function EventAction({ event, code, wide }: Props) {
  const { t } = useTranslation();
  const { phase, registrationMode, externalUrl, registrationOpensAt, timezone, slug, myRegistration } = event;
  const size = { size: "md" as const, ...(wide && { fullWidth: true }) };
  if (phase === "cancelled" || phase === "ended" || myRegistration) return null;
  if (phase === "open" && registrationMode === "external") {
    return (
      <Button
        {...size}
        component="a"
        href={externalUrl}
        target="_blank"
        rel="noopener noreferrer"
        rightSection={<IconExternalLink size={18} stroke={1.7} />}
      >
        {t("events.registerElsewhere", { host: hostOf(externalUrl) })}
      </Button>
    );
  }
  if (phase === "open" || phase === "waitlist_open") {
    return (
      <Button
        {...size}
        component={Link}
        to={`/events/${slug}/register${code ? `?code=${encodeURIComponent(code)}` : ""}`}
      >
        {t(`events.verbs.${registrationVerb(event)}`)}
      </Button>
    );
  }
  if (!wide) return <span className={classes.phase}>{t(`events.phase.${phase}`)}</span>;
  if (phase === "not_open_yet" && registrationOpensAt) {
    return (
      <p className={classes.sentence}>
        {t("events.opensAt", {
          day: formatDateIn(registrationOpensAt, timezone),
          time: formatTimeIn(registrationOpensAt, timezone),
          zone: formatZone(registrationOpensAt, timezone),
        })}
      </p>
    );
  }
  return null;
}

function hostOf(url: string) {
  try {
    return new URL(url).hostname;
  } catch {
    return url;
  }
}
