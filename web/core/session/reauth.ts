import { isCode } from "#web/core/http/http.ts";
import { createStore } from "#web/core/store.ts";
import { onUserChange } from "#web/core/session/session.tsx";
import type { ReauthOptions } from "#shared/auth/account.ts";

/** `age`: the last login is too long ago; `final`: the action cannot be undone. */
type ReauthReason = "age" | "final";
type ReauthPrompt = ReauthOptions & { reason: ReauthReason; answer: (isConfirmed: boolean) => void };

/** The current prompt of the re-authentication dialog (web/auth/reauth/ReauthPrompt.tsx); kept while it fades out. */
export const reauthPrompt = createStore<{ prompt: ReauthPrompt | null; opened: boolean }>({
  prompt: null,
  opened: false,
});

let running: Promise<boolean> | null = null;

/**
 * Prompts the user to re-authenticate, once for all concurrent calls. True if the session was confirmed, false if the
 * user cancelled.
 */
export function reauthenticate(options: ReauthOptions, reason: ReauthReason = "age"): Promise<boolean> {
  running ??= new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      // A login window of an earlier prompt may close after that prompt.
      if (reauthPrompt.get().prompt !== prompt || !reauthPrompt.get().opened) return;
      running = null;
      reauthPrompt.set({ prompt, opened: false });
      resolve(isConfirmed);
    };
    const prompt = { ...options, reason, answer };
    reauthPrompt.set({ prompt, opened: true });
  });
  return running;
}

/** Runs a call. If the server requires re-authentication, the user is prompted and the call is repeated. */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isCode(error, "auth.reauthRequired") || !(await reauthenticate(error.details as ReauthOptions))) throw error;
    return withReauthentication(send);
  }
}

const cancelPrompt = () => {
  const { prompt, opened } = reauthPrompt.get();
  if (opened) prompt?.answer(false);
  return opened;
};
onUserChange(cancelPrompt);
// In the capture phase, so that Escape closes this dialog and not the one behind it.
if (typeof window !== "undefined") {
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && !event.isComposing && cancelPrompt()) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
