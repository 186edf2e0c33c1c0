import { CODE_ALPHABET, normaliseCode } from "#shared/companies/companies.ts";

// Numbers of certificates: NE-7KQ2-M4RX. The initials of the issuer, and eight random characters without look-alikes

export const RANDOM_CHARACTERS = 8;
const MAX_INITIALS = 3;
const FALLBACK_INITIALS = "CE";

/** The initials of a company in Latin capitals: `NE` for Norrvik Energi. */
export function initialsOf(company: string) {
  const words = company
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9\s]/g, "")
    .split(/\s+/)
    .filter((word) => /^[A-Za-z]/.test(word));
  const initials = words.map((word) => word.charAt(0).toUpperCase()).join("");
  return initials.slice(0, MAX_INITIALS) || FALLBACK_INITIALS;
}

/** The number of random bytes, of which those that would make some characters more likely are dropped. */
export function numberOf(company: string, random: Uint8Array) {
  const fair = 256 - (256 % CODE_ALPHABET.length);
  const code = Array.from(random)
    .filter((byte) => byte < fair)
    .slice(0, RANDOM_CHARACTERS)
    .map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length])
    .join("");
  return `${initialsOf(company)}-${code.slice(0, 4)}-${code.slice(4)}`;
}

/** A number as typed: `ne 7kq2 m4rx` is NE-7KQ2-M4RX. Empty if it cannot be one. */
export function readNumber(typed: string) {
  const [, initials, first, second] =
    /^([A-Z]{1,3})([A-Z2-9]{4})([A-Z2-9]{4})$/.exec(normaliseCode(typed.replace(/[–—_.]/g, "-"))) ?? [];
  return initials ? `${initials}-${first}-${second}` : "";
}
