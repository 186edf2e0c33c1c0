import { storage } from "#web/core/session/storage.ts";
import { homeOf, type User } from "#shared/users.ts";

// Where people go after signing in (spec section 4)

const KEY = "redirectTo";

/** Only a path of this very site; `//host`, `/\host` and other addresses are somebody else's. */
function ownPath(target: string | null) {
  if (!target?.startsWith("/")) return null;
  try {
    const url = new URL(target, location.origin);
    // `/.//host` is made `//host` by reading it.
    return url.origin === location.origin && !url.pathname.startsWith("//")
      ? url.pathname + url.search + url.hash
      : null;
  } catch {
    return null;
  }
}

/** Chatbots and courses that were opened by a link are kept; everything else begins at home. */
const isKept = (path: string) => path.includes("/chatbot/") || path.startsWith("/launch/");

/** Remembered as well, because the `redirect` query does not survive a registration or a sign-in elsewhere. */
export const rememberTarget = (path: string) => {
  if (isKept(path)) storage.set(KEY, path);
};

export function targetAfterSignIn(user: User, search: string) {
  const asked = ownPath(new URLSearchParams(search).get("redirect")) ?? ownPath(storage.get(KEY));
  return asked && isKept(asked) ? asked : homeOf(user);
}

export const forgetTarget = () => storage.remove(KEY);
