import { readStoredUser } from "#web/core/storage/storedUser.ts";
import { QUERY_DATA_ELEMENT, RENDERED_ATTRIBUTE } from "#shared/core/rendering.ts";

// Hydration of public pages that the server has rendered for a guest, with the query data they were rendered from

/** True if the page is to be hydrated. Not for a signed-in user, who gets a page rendered in the browser. */
export const isServerRendered = (): boolean =>
  typeof document !== "undefined" &&
  (document.getElementById("root")?.hasAttribute(RENDERED_ATTRIBUTE) ?? false) &&
  readStoredUser() === null;

/** The dehydrated queries embedded in the page; null if there are none or the page is not hydrated. */
export function serverQueryData() {
  if (!isServerRendered()) return null;
  return JSON.parse(document.getElementById(QUERY_DATA_ELEMENT)?.textContent ?? "null") as object | null;
}
