import { storage, tabStorage } from "#web/core/storage/storage.ts";
import { homeOf, type User } from "#shared/core/users.ts";

// The redirect target after signing in. It belongs to one visit, so the copy in the storage of the tab counts.

const KEY = "redirectTo";
// Left by a visit that has ended.
if (!tabStorage.get(KEY)) storage.remove(KEY);

/** The target if it is a path of this site, otherwise null; `//host` and `/\host` lead to other sites. */
function toLocalPath(target: string | null) {
  if (!target?.startsWith("/")) return null;
  try {
    const url = new URL(target, location.origin);
    // Parsing turns `/.//host` into `//host`.
    return url.origin === location.origin && !url.pathname.startsWith("//")
      ? url.pathname + url.search + url.hash
      : null;
  } catch {
    return null;
  }
}

/** Only links to chatbots and courses are kept as redirect targets; otherwise users start at their home page. */
const isDeepLink = (path: string) => path.includes("/chatbot/") || path.startsWith("/launch/");

/** Stores the target, because the `redirect` query is lost during a registration or an external login. */
export const storeTarget = (path: string) => {
  if (!isDeepLink(path)) return;
  storage.set(KEY, path);
  tabStorage.set(KEY, path);
};

export function targetAfterSignIn(user: User, search: string) {
  const target = toLocalPath(new URLSearchParams(search).get("redirect")) ?? toLocalPath(tabStorage.get(KEY));
  return target && isDeepLink(target) ? target : homeOf(user);
}

export const clearTarget = () => {
  storage.remove(KEY);
  tabStorage.remove(KEY);
};
