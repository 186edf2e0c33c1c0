import { readUser } from "#web/core/session/storedUser.ts";
import { QUERY_DATA_ELEMENT, RENDERED_ATTRIBUTE } from "#shared/rendering.ts";

// A public page that the server drew for a guest: the browser takes it over as it stands, with the answers it was drawn from

/** True where the application takes over what is on screen. Somebody who was signed in here gets a page of their own. */
export const isServerRendered = (): boolean =>
  typeof document !== "undefined" &&
  (document.getElementById("root")?.hasAttribute(RENDERED_ATTRIBUTE) ?? false) &&
  readUser() === null;

/** The answers (dehydrated queries) that came inside the page; null when there are none, or not for this person. */
export function serverQueryData() {
  if (!isServerRendered()) return null;
  return JSON.parse(document.getElementById(QUERY_DATA_ELEMENT)?.textContent ?? "null") as object | null;
}
