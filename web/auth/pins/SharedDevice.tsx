import { useEffect, useEffectEvent } from "react";
import { IdleWarning } from "#web/auth/pins/IdleWarning.tsx";
import { useSession } from "#web/core/session/session.tsx";
import { lastInputAt, noteInput, shareInput, warning } from "#web/core/session/sharedDevice.ts";
import { storeUser } from "#web/core/storage/storedUser.ts";
import { storage } from "#web/core/storage/storage.ts";
import { CONSENT_SENT_KEY } from "#shared/consent/consent.ts";
import { SHARED_IDLE_SECONDS, SHARED_WARNING_SECONDS } from "#shared/auth/pins.ts";

/** How long the server may take to end the session before the page is replaced. */
const PATIENCE_MS = 2000;
const INPUT_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "input"] as const;

/** Ends the session on a device that several people use after two minutes without input. */
export function SharedDevice() {
  const { user, settled, signOut } = useSession();
  const isShared = settled && user?.onSharedDevice === true;
  const lock = useEffectEvent(async () => {
    warning.set(null);
    // A slow network must not keep the page on the screen: a sign-out that is due comes first on the next one.
    const isDone = signOut();
    storeUser(null);
    await Promise.race([isDone, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    // It names the person by their id.
    storage.remove(CONSENT_SENT_KEY);
    // A new page: nothing that the person has opened stays in memory.
    location.replace("/login/pin");
  });
  useEffect(() => {
    if (!isShared) return;
    const stopSharing = shareInput();
    let isLocking = false;
    const look = () => {
      if (isLocking) return;
      const left = SHARED_IDLE_SECONDS - Math.floor((Date.now() - lastInputAt()) / 1000);
      if (left <= 0) {
        isLocking = true;
        void lock();
      } else warning.set(left <= SHARED_WARNING_SECONDS ? left : null);
    };
    const timer = setInterval(look, 500);
    document.addEventListener("visibilitychange", look);
    for (const name of INPUT_EVENTS) addEventListener(name, noteInput, { passive: true, capture: true });
    return () => {
      clearInterval(timer);
      stopSharing();
      warning.set(null);
      document.removeEventListener("visibilitychange", look);
      for (const name of INPUT_EVENTS) removeEventListener(name, noteInput, { capture: true });
    };
  }, [isShared]);
  const left = warning.use();
  // Not loaded when it is needed: the lock must work without a connection.
  return left !== null && <IdleWarning left={left} />;
}
