import type { Config } from "#server/core/config.ts";
import { isSame, newToken, sign } from "#server/core/secrets.ts";

type Name = "browser" | "step" | "known";
type Jar = Record<string, string | undefined>;

/** Over HTTPS the browser itself makes sure that no other host and no plain connection set the cookie. */
const nameOf = (config: Config, name: Name) =>
  config.publicUrl.startsWith("https:") ? `__Host-lyceum.${name}` : `lyceum.${name}`;

export const readCookie = (config: Config, jar: Jar, name: Name) => jar[nameOf(config, name)] || null;

/** A `Set-Cookie` line: not for scripts, not sent from foreign pages; `seconds` 0 removes it. `value` is safe as it is. */
export const writeCookie = (config: Config, name: Name, value: string, seconds: number) =>
  `${nameOf(config, name)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${config.publicUrl.startsWith("https:") ? "; Secure" : ""}`;

/** Whether somebody may be signed in here; a page or a call without it is a guest's. */
export const hasSession = (jar: Jar) => Object.keys(jar).some((name) => name.endsWith(".session_token"));

const KNOWN_SECONDS = 365 * 86_400;
const KNOWN_PEOPLE = 4;

/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser in which somebody has signed in
 * counts its wrong guesses by itself, so that strangers who guess elsewhere cannot lock that person out of it.
 */
export function knownDevice(config: Config, jar: Jar, email: string): string | null {
  const found = marksOf(config, jar).find((mark) => isMark(config, mark, email));
  return found?.split(".")[0] ?? null;
}

export function rememberDevice(config: Config, jar: Jar, email: string) {
  const others = marksOf(config, jar)
    .filter((mark) => !isMark(config, mark, email))
    .slice(0, KNOWN_PEOPLE - 1);
  const nonce = newToken().slice(0, 16);
  return writeCookie(config, "known", [`${nonce}.${markOf(config, nonce, email)}`, ...others].join("~"), KNOWN_SECONDS);
}

const marksOf = (config: Config, jar: Jar) =>
  (readCookie(config, jar, "known") ?? "").split("~").filter((mark) => /^[\w-]{16}\.[\w-]+$/.test(mark));
const markOf = (config: Config, nonce: string, email: string) => sign(config.secret, `known device ${nonce} ${email}`);
const isMark = (config: Config, mark: string, email: string) => {
  const [nonce = "", check = ""] = mark.split(".");
  return isSame(check, markOf(config, nonce, email));
};
