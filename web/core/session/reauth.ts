import { createStore } from "#web/core/store.ts";
import { whenPersonChanges } from "#web/core/session/session.tsx";
import type { ReauthOptions } from "#shared/account.ts";

/** `age`: the login is some time ago; `final`: what follows cannot be undone. */
type Why = "age" | "final";
type Asked = ReauthOptions & { why: Why; answer: (proven: boolean) => void };

/** What the dialog "Confirm that it is you" shows (web/auth/reauth/Reauth.tsx); stays while it fades out. */
export const reauthPrompt = createStore<{ asked: Asked | null; opened: boolean }>({ asked: null, opened: false });

let running: Promise<boolean> | null = null;

/** Asks who sits here, once for all calls that want to know it now. True when the session is confirmed, false when the person goes back. */
export function reauthenticate(offer: ReauthOptions, why: Why = "age"): Promise<boolean> {
  running ??= new Promise((resolve) => {
    const answer = (proven: boolean) => {
      // The window of an earlier question may come to its end later than that question.
      if (reauthPrompt.get().asked !== asked || !reauthPrompt.get().opened) return;
      running = null;
      reauthPrompt.set({ asked, opened: false });
      resolve(proven);
    };
    const asked = { ...offer, why, answer };
    reauthPrompt.set({ asked, opened: true });
  });
  return running;
}

const goBack = () => {
  const { asked, opened } = reauthPrompt.get();
  if (opened) asked?.answer(false);
  return opened;
};
whenPersonChanges(goBack);
// Before any dialog listens: Escape closes this one, and leaves the one behind it as it is.
if (typeof window !== "undefined") {
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && !event.isComposing && goBack()) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
