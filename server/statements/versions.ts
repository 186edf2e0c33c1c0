/** The versions of xAPI that the store answers with; a request names one of them, or a patch of it. */
export type XapiVersion = "1.0.3" | "2.0.0";

/** The version that the header X-Experience-API-Version asks for; null if there is no such version. */
export function readVersion(header: unknown): XapiVersion | null {
  if (typeof header !== "string") return null;
  if (/^1\.0(\.\d{1,9})?$/.test(header)) return "1.0.3";
  return /^2\.0(\.\d{1,9})?$/.test(header) ? "2.0.0" : null;
}
