import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { academy } from "#web/core/academy/academy.ts";
import { saveDecision, type Decision } from "#web/core/session/consentDecision.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import classes from "#web/privacy/CookieBanner.module.css";
import { assignDecision, unassignDecision, sendDecision, showFailure } from "#web/privacy/sendDecision.ts";
import { useBannerSpace } from "#web/privacy/useBannerSpace.ts";
import { ALL_PREFERENCES, ONLY_ESSENTIAL, type Preferences } from "#shared/consent/consentPreferences.ts";
import { type ConsentMeta, type ConsentStatus } from "#shared/consent/consent.ts";
import { recordingService } from "#shared/consent/consentServices.ts";

/** Loaded after the banner, which is part of the first paint. */
const CookieDialog = lazyWithPreload(() =>
  import("#web/privacy/CookieDialog.tsx").then(({ CookieDialog }) => CookieDialog),
);

type Props = { choice: Decision | null; reopened: boolean; userId: string | undefined; onClose: () => void };

/**
 * First layer of the consent: accept or reject with one click, without blocking the page. Takes the focus only if
 * reopened.
 */
export function CookieBanner({ choice, reopened, userId, onClose }: Props) {
  const { t } = useTranslation();
  const [customizing, setCustomizing] = useState(false);
  const [dialogLoaded, setDialogLoaded] = useState(false);
  const isDialogShown = customizing && dialogLoaded;
  const region = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const previousFocus = useRef<Element | null>(null);
  useBannerSpace(region);
  useEffect(
    () =>
      void CookieDialog.preload().then(
        () => setDialogLoaded(true),
        () => {},
      ),
    [],
  );
  useEffect(() => {
    if (!reopened) return;
    previousFocus.current = document.activeElement;
    heading.current?.focus();
  }, [reopened]);

  const close = () => {
    onClose();
    if (previousFocus.current instanceof HTMLElement && previousFocus.current.isConnected)
      previousFocus.current.focus();
  };
  const choose = (status: ConsentStatus, preferences: Preferences, via: ConsentMeta["via"]) => {
    const { meta } = saveDecision(status, preferences, via);
    setCustomizing(false);
    if (userId && meta) {
      assignDecision(userId, meta.decidedAt);
      sendDecision(userId).catch(showFailure);
    } else unassignDecision();
    close();
  };
  const buttonStyle = { variant: "outline", size: "sm" } as const;
  return (
    <>
      <section
        ref={region}
        className={classes.banner}
        aria-labelledby="cookie-banner-title"
        onKeyDown={(event) => event.key === "Escape" && reopened && choice && close()}
      >
        <div className={classes.content}>
          <h2 ref={heading} id="cookie-banner-title" tabIndex={-1} className={classes.title}>
            {t("consent.banner.title")}
          </h2>
          <p className={classes.text}>
            {t("consent.banner.text")} {academy.get()?.consent.recordsPages && `${recordingService.purpose}. `}
            <a href={academy.get()?.policyUrl ?? "/privacy-policy"} target="_blank" rel="noreferrer">
              {t("consent.banner.policy")}
              <span className="ly-hidden"> ({t("consent.banner.newTab")})</span>
            </a>
          </p>
        </div>
        <div className={classes.buttons}>
          {choice && (
            <Button variant="subtle" size="sm" className={classes.secondary} onClick={close}>
              {t("consent.banner.keep")}
            </Button>
          )}
          <Button variant="subtle" size="sm" className={classes.secondary} onClick={() => setCustomizing(true)}>
            {t("consent.banner.customize")}
          </Button>
          <Button {...buttonStyle} onClick={() => choose("reject_all", ONLY_ESSENTIAL, "banner")}>
            {t("consent.banner.rejectAll")}
          </Button>
          <Button {...buttonStyle} onClick={() => choose("accept_all", ALL_PREFERENCES, "banner")}>
            {t("consent.banner.acceptAll")}
          </Button>
        </div>
      </section>
      {dialogLoaded && (
        <CookieDialog
          opened={isDialogShown}
          choice={choice}
          onCancel={() => setCustomizing(false)}
          onSave={(preferences) => choose("customized", preferences, "dialog")}
        />
      )}
    </>
  );
}
