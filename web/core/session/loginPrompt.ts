import { createStore } from "#web/core/store.ts";
import type { User } from "#shared/core/users.ts";

/**
 * The login dialog over a page whose session has ended (web/auth/login/LoginDialog.tsx). `user` is the person who
 * worked there; kept while the dialog fades out.
 */
export const loginPrompt = createStore<{ user: User | null; opened: boolean }>({ user: null, opened: false });

let running: { promise: Promise<boolean>; resolve: (isLoggedIn: boolean) => void } | null = null;

/** Asks the user to log in again, once for all callers. False if they log out instead. */
export function promptLogin(user: User) {
  if (running) return running.promise;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  running = { promise, resolve };
  loginPrompt.set({ user, opened: true });
  return promise;
}

/** Resolves when the open login dialog is answered; false at once if there is none. */
export const awaitLogin = () => running?.promise ?? Promise.resolve(false);

/** Closes the dialog. Waiting calls are repeated if the person has logged in, and fail otherwise. */
export function answerLogin(isLoggedIn: boolean) {
  const { user } = loginPrompt.get();
  loginPrompt.set({ user, opened: false });
  running?.resolve(isLoggedIn);
  running = null;
}
