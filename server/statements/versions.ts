/** The versions of xAPI in which the store answers. A request may also name another patch version of them. */
export type XapiVersion = "1.0.3" | "2.0.0";

/** The version that X-Experience-API-Version asks for; null if it is unknown. */
export function readVersion(header: unknown): XapiVersion | null {
  if (typeof header !== "string") return null;
  if (/^1\.0(\.\d{1,9})?$/.test(header)) return "1.0.3";
  return /^2\.0(\.\d{1,9})?$/.test(header) ? "2.0.0" : null;
}
