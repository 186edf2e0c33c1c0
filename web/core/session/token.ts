import { isServerRendered } from "#web/core/rendering/hydration.ts";
import { sendRequest, isStatus } from "#web/core/http/http.ts";
import { storage } from "#web/core/storage/storage.ts";
import { readStoredUser, USER_KEY } from "#web/core/storage/storedUser.ts";
import { auth } from "#shared/auth/auth.ts";
import type { Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// The bearer token, kept in memory only. It is renewed with the refresh cookie, which scripts cannot read.

type Grant = Reply<typeof auth.token>;

/** A token is renewed this long before it expires, so that slow calls do not arrive with an expired one. */
const RENEWAL_MARGIN_MS = 20_000;
let currentGrant: Grant | null = null;
let refreshing: Promise<Grant | null> | null = null;
/** True once the refresh cookie was rejected, so that later calls do not request a token again. */
let isSignedOut = isServerRendered();
/** Incremented with every sign-in and sign-out; responses to requests of an earlier generation are ignored. */
let generation = 0;
let onChange: (user: User | null) => void = () => {};

/**
 * Sets the listener for user changes: the user after every refresh, null if the refresh cookie is not valid any more.
 */
export const watchUser = (listener: typeof onChange) => {
  onChange = listener;
};

export const setGrant = (grant: Grant | null) => {
  if (grant) storage.remove(SIGN_OUT_PENDING_KEY);
  currentGrant = grant;
  refreshing = null;
  isSignedOut = false;
  generation++;
};

export const clearToken = () => setGrant(null);

/**
 * Storage key: a sign-out has not reached the server yet. Until then the refresh cookie, which scripts cannot remove,
 * is valid.
 */
const SIGN_OUT_PENDING_KEY = "signOutDue";
const signOutOnServer = async () => {
  await sendRequest(auth.signOut, {});
  storage.remove(SIGN_OUT_PENDING_KEY);
};

/** Ends the session here immediately, and on the server as soon as it can be reached. */
export async function endSession() {
  // Stored first, because the page may be closed before the server answers.
  storage.set(SIGN_OUT_PENDING_KEY, "yes");
  await signOutOnServer().catch(() => {});
  clearToken();
}

/** A valid token, renewed if necessary; null if signed out. Concurrent callers share one refresh. */
export async function usableToken() {
  if (currentGrant && Date.parse(currentGrant.expiresAt) - Date.now() > RENEWAL_MARGIN_MS) return currentGrant.token;
  if (isSignedOut) return null;
  return (await refreshToken())?.token ?? null;
}

/** A token after a 401: the one that another call has fetched meanwhile, or a new one. */
export async function tokenAfterRejection(rejected: string) {
  if (currentGrant && currentGrant.token !== rejected) return currentGrant.token;
  return (await refreshToken())?.token ?? null;
}

export function refreshToken(): Promise<Grant | null> {
  if (refreshing) return refreshing;
  const current = requestToken(generation).finally(() => {
    if (refreshing === current) refreshing = null;
  });
  refreshing = current;
  return current;
}

async function requestToken(requestGeneration: number) {
  try {
    if (storage.get(SIGN_OUT_PENDING_KEY)) await signOutOnServer();
    const grant = await requestGrant();
    if (requestGeneration !== generation) return currentGrant;
    if (!grant) return setSignedOut();
    if (isReplacedSession(grant)) {
      await signOutOnServer();
      return setSignedOut();
    }
    currentGrant = grant;
    onChange(grant.user);
    return grant;
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
    return requestGeneration !== generation ? currentGrant : setSignedOut();
  }
}

/** The answer to an early request is only good for the user for whom `start.js` has sent it. */
declare global {
  var earlyUser: string | null | undefined;
}

/**
 * Requests a grant; undefined if there is no refresh cookie. If the stored user changes meanwhile, somebody has logged
 * in or out in another tab, and the cookie may have changed: the grant is requested once more.
 */
async function requestGrant(isLast = false): Promise<Grant | undefined> {
  const storedUser = globalThis.earlyUser === undefined ? storage.get(USER_KEY) : globalThis.earlyUser;
  delete globalThis.earlyUser;
  const answered = await sendRequest(auth.token, {}).then(
    (grant) => ({ grant: grant as Grant | undefined }),
    (error: unknown) => ({ error }),
  );
  if (!isLast && storage.get(USER_KEY) !== storedUser) return requestGrant(true);
  if ("error" in answered) throw answered.error;
  return answered.grant;
}

/**
 * True if the refresh cookie belongs to somebody else than the user who signed in here. Cookies ignore ports, so a page
 * on another port of this host may have set it; the stored user is known to this origin only.
 */
function isReplacedSession({ user }: Grant) {
  const stored = readStoredUser();
  return stored !== null && stored.id !== user.id;
}

function setSignedOut() {
  currentGrant = null;
  isSignedOut = true;
  onChange(null);
  return null;
}
