import { noAnswer, readProblem, ApiError } from "#web/core/api/http.ts";
import { usableToken } from "#web/core/session/token.ts";

/** Saves what a GET with the bearer token answers, under the name the server gives it. Throws `ApiError`. */
export async function download(address: string, fallbackName: string) {
  const token = await usableToken();
  const reply = await fetch(address, {
    credentials: "same-origin",
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  }).catch(() => {
    throw noAnswer();
  });
  if (!reply.ok) throw new ApiError(reply.status, readProblem(reply.status, await reply.json().catch(() => null)));
  const name = /filename="([^"]+)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1] ?? fallbackName;
  saveBlob(await reply.blob(), name);
}

/** Hands a file made in the browser to the person. */
export function saveBlob(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
