import { saveBlob } from "#web/core/api/download.ts";
import { dataUrlOf } from "#web/core/logo/imageFile.ts";
import { networkError, toApiError, urlOf } from "#web/core/http/http.ts";
import { usableToken } from "#web/core/session/token.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";

async function fetchBlob(url: string, init: RequestInit = {}) {
  const token = await usableToken();
  const response = await fetch(url, {
    ...init,
    credentials: "same-origin",
    headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
  }).catch(() => {
    throw networkError();
  });
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
  return response.blob();
}

/** A picture of a design as data URL. */
export async function fetchPicture(hash: string) {
  const blob = await fetchBlob(urlOf(certificates.picture, { params: { hash } }));
  return dataUrlOf(blob);
}

/** Saves the PDF of a design that is perhaps not stored yet. */
export async function saveSample(url: string, content: DesignContent, name: string) {
  const blob = await fetchBlob(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ content, name }),
  });
  saveBlob(blob, "sample.pdf");
}
