import { networkError, toApiError } from "#web/core/api/http.ts";
import { withReauthentication } from "#web/core/session/reauth.ts";
import { usableToken } from "#web/core/session/token.ts";

/**
 * Downloads a file with the bearer token and saves it under the name from the response. If the server requires
 * re-authentication, the user is prompted. Throws `ApiError`.
 */
export const download = (url: string, fallbackName: string) =>
  withReauthentication(() => downloadWithToken(url, fallbackName));

async function downloadWithToken(url: string, fallbackName: string) {
  const token = await usableToken();
  const response = await fetch(url, {
    credentials: "same-origin",
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  }).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? fallbackName;
  saveBlob(await response.blob(), name);
}

/** Saves a file created in the browser. */
export function saveBlob(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
