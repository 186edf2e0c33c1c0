import { Suspense, useEffect, useState } from "react";
import { academy } from "#web/core/academy/academy.ts";
import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { isEmbedded } from "#web/core/embedded.ts";
import { decision, reloadDecision } from "#web/core/session/consentDecision.ts";
import { useSession } from "#web/core/session/session.tsx";
import { sendDecision, showFailure } from "#web/privacy/sendDecision.ts";
import { CONSENT_KEYS, OPEN_COOKIE_BANNER_EVENT } from "#shared/consent/consent.ts";

export const CookieBanner = lazyWithPreload(() =>
  import("#web/privacy/CookieBanner.tsx").then(({ CookieBanner }) => CookieBanner),
);

/** The cookie banner of every page: shown until a choice is made, and again on the window event. */
export function CookieConsent() {
  const { user, settled } = useSession();
  const choice = decision.use();
  const version = academy.use()?.consent.version;
  const [reopened, setReopened] = useState(false);
  const userId = settled ? user?.id : undefined;

  useEffect(() => reloadDecision(), [version]);
  useEffect(() => {
    const reopen = () => setReopened(true);
    const onStorage = ({ key }: StorageEvent) => {
      if (key === null || key === CONSENT_KEYS.status || key === CONSENT_KEYS.preferences) reloadDecision();
    };
    addEventListener(OPEN_COOKIE_BANNER_EVENT, reopen);
    addEventListener("storage", onStorage);
    return () => {
      removeEventListener(OPEN_COOKIE_BANNER_EVENT, reopen);
      removeEventListener("storage", onStorage);
    };
  }, []);
  // The choice is sent to the server on start, after a sign-in, and when the network is back.
  useEffect(() => {
    if (!userId) return;
    const send = () => void sendDecision(userId).catch(showFailure);
    send();
    addEventListener("online", send);
    return () => removeEventListener("online", send);
  }, [userId]);

  // A framed chat stores only what it needs to work.
  if ((choice && !reopened) || isEmbedded()) return null;
  return (
    <Suspense>
      <CookieBanner choice={choice} reopened={reopened} userId={userId} onClose={() => setReopened(false)} />
    </Suspense>
  );
}
