import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { exchange, isStatus } from "#web/core/api/http.ts";
import { storage } from "#web/core/session/storage.ts";
import { auth } from "#shared/auth.ts";
import type { Reply } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

// The bearer id token lives here, in memory only. The refresh cookie (which scripts cannot read) brings a new one.

type Grant = Reply<typeof auth.token>;

/** Renewed this long before its end, so that a slow call does not arrive with a dead token. */
const MARGIN_MS = 20_000;
let held: Grant | null = null;
let refreshing: Promise<Grant | null> | null = null;
/** True once the refresh cookie was refused: signed-out people do not ask again with every call. */
let signedOut = isServerRendered();
/** Grows with every sign-in and sign-out: an answer that was asked for before that is stale. */
let era = 0;
let onChange: (user: User | null) => void = () => {};

/** The session listens here: a user after every refresh, null when the refresh cookie is no longer good. */
export const watchToken = (listener: typeof onChange) => {
  onChange = listener;
};

export const holdToken = (grant: Grant | null) => {
  if (grant) storage.remove(DUE);
  held = grant;
  refreshing = null;
  signedOut = false;
  era++;
};

export const dropToken = () => holdToken(null);

/** Says that the server has to be told of a sign-out: until then the refresh cookie, which scripts cannot remove, is good. */
const DUE = "signOutDue";
const tellServer = async () => {
  await exchange(auth.signOut, {});
  storage.remove(DUE);
};

/** Ends the session here at once, and on the server as soon as it can be reached. */
export async function endSession() {
  await tellServer().catch(() => storage.set(DUE, "yes"));
  dropToken();
}

/** A usable token, asked for if need be; null when nobody is signed in. All callers share one running refresh. */
export async function usableToken() {
  if (held && Date.parse(held.expiresAt) - Date.now() > MARGIN_MS) return held.token;
  if (signedOut) return null;
  return (await refreshToken())?.token ?? null;
}

/** After a 401: the token somebody else fetched meanwhile, or a refreshed one. */
export async function tokenAfter(refused: string) {
  if (held && held.token !== refused) return held.token;
  return (await refreshToken())?.token ?? null;
}

export function refreshToken(): Promise<Grant | null> {
  if (refreshing) return refreshing;
  const mine = askForToken(era).finally(() => {
    if (refreshing === mine) refreshing = null;
  });
  refreshing = mine;
  return mine;
}

async function askForToken(asked: number) {
  try {
    if (storage.get(DUE)) await tellServer();
    // No content: there is no refresh cookie, so nobody is signed in.
    const grant = (await exchange(auth.token, {})) as Grant | undefined;
    if (asked !== era) return held;
    if (!grant) return leave();
    held = grant;
    onChange(grant.user);
    return grant;
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
    return asked !== era ? held : leave();
  }
}

function leave() {
  held = null;
  signedOut = true;
  onChange(null);
  return null;
}
