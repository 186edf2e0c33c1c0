import type { Config } from "#server/core/config.ts";
import { isSame, newToken, sign } from "#server/core/secrets.ts";

type Name = "browser" | "step" | "known";
type Cookies = Record<string, string | undefined>;

const isSecure = ({ publicUrl }: Config) => publicUrl.startsWith("https:");

/**
 * With the `__Host-` prefix browsers ensure that no other host and no insecure connection can set the cookie (RFC
 * 6265bis).
 */
const nameOf = (config: Config, name: Name) => (isSecure(config) ? `__Host-lyceum.${name}` : `lyceum.${name}`);

export const readCookie = (config: Config, jar: Cookies, name: Name) => jar[nameOf(config, name)] || null;

/**
 * The cookies of a `Cookie` header. Of several with one name the last is used: browsers send those with the shortest
 * path last (RFC 6265, 5.4), and ours have the path `/`. A script on another port can add cookies with a longer path,
 * but cannot replace ours, because they are HttpOnly. Pages of a sibling host can, with `Domain=`, unless HTTPS is
 * used: then our names begin with `__Host-` (decision 17).
 */
export const parseCookies = (header = ""): Record<string, string> =>
  Object.fromEntries(
    header
      .split(";")
      .map((pair) => pair.trim())
      .filter((pair) => pair.indexOf("=") > 0)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

/**
 * Value of a `Set-Cookie` header: HttpOnly, SameSite=Lax; `seconds` 0 deletes the cookie. `value` must not need
 * escaping.
 */
export const writeCookie = (config: Config, name: Name, value: string, seconds: number) =>
  [
    `${nameOf(config, name)}=${value}`,
    `Max-Age=${seconds}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(config) ? ["Secure"] : []),
  ].join("; ");

/** True if the request has a session cookie, valid or not. Without one it comes from a guest. */
export const hasSession = (jar: Cookies) => Object.keys(jar).some((name) => name.endsWith(".session_token"));

const DEVICE_COOKIE_SECONDS = 365 * 86_400;
const MAX_PEOPLE_PER_DEVICE = 4;

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser in which a person has
 * signed in before has its own count of failed attempts, so that attackers elsewhere cannot lock that person out.
 * Returns the device id.
 */
export function findKnownDevice(config: Config, jar: Cookies, email: string): string | null {
  const deviceMark = readDeviceMarks(config, jar).find((mark) => isMarkOf(config, mark, email));
  return deviceMark?.split(".")[0] ?? null;
}

/** The id of a browser in which anybody has signed in before, or null. It is signed, so it cannot be made up. */
export const findDevice = (config: Config, jar: Cookies): string | null =>
  readDeviceMarks(config, jar)
    .map((mark) => mark.slice(0, 16))
    .find((nonce) => isSame(nonce, signNonce(config, nonce.slice(0, 8)))) ?? null;
const signNonce = (config: Config, random: string) =>
  random + sign(config.secret, `known device ${random}`).slice(0, 8);

/** Value of the `Set-Cookie` header that marks this browser as known to the person. */
export const rememberDevice = (config: Config, jar: Cookies, email: string) => rememberDevices(config, jar, [email]);

/** The same for several people or companies. */
export function rememberDevices(config: Config, jar: Cookies, known: string[]) {
  const others = readDeviceMarks(config, jar)
    .filter((mark) => !known.some((one) => isMarkOf(config, mark, one)))
    .slice(0, MAX_PEOPLE_PER_DEVICE - known.length);
  const marks = known.map((one) => {
    const nonce = signNonce(config, newToken().slice(0, 8));
    return `${nonce}.${signatureOf(config, nonce, one)}`;
  });
  return writeCookie(config, "known", [...marks, ...others].join("~"), DEVICE_COOKIE_SECONDS);
}

const readDeviceMarks = (config: Config, jar: Cookies) =>
  (readCookie(config, jar, "known") ?? "").split("~").filter((mark) => /^[\w-]{16}\.[\w-]+$/.test(mark));
const signatureOf = (config: Config, nonce: string, email: string) =>
  sign(config.secret, `known device ${nonce} ${email}`);
const isMarkOf = (config: Config, mark: string, email: string) => {
  const [nonce = "", check = ""] = mark.split(".");
  return isSame(check, signatureOf(config, nonce, email));
};
