import { z } from "zod";
import { idToken } from "#shared/auth/auth.ts";
import { defineContracts, post } from "#shared/core/route.ts";
import { user } from "#shared/core/users.ts";

// Login of people without an email address: company, personnel number, and a PIN or a printed card

export const MIN_PIN_DIGITS = 6;
export const MAX_PIN_DIGITS = 12;
/** Wrong PINs in a row after which a login is locked, and for how long. */
export const MAX_PIN_TRIES = 5;
export const PIN_LOCK_MINUTES = 15;
/** Personnel number: at most 64 characters, without control characters. */
export const personnelNumber = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]+$/u);
export const pin = z.string().regex(/^\d{6,12}$/);

/** Seconds without input after which the session of a shared device ends, and how long before a warning appears. */
export const SHARED_IDLE_SECONDS = 120;
export const SHARED_WARNING_SECONDS = 20;
/** The longest duration of a session on a shared device in hours: one long shift. */
export const SHARED_SESSION_HOURS = 12;

/** Whether people of a company log in with a PIN: not at all, with the PIN always, or with the card alone. */
export const pinLogin = z.enum(["off", "pin", "card"]);
export type PinLogin = z.infer<typeof pinLogin>;

const SEQUENCES = "01234567890123456789 98765432109876543210";
/** True for PINs that are tried first: one digit, digits in order, a repeated part, or the personnel number. */
export function isWeakPin(pin: string, number: string) {
  const digits = number.replace(/\D/g, "");
  return (
    SEQUENCES.includes(pin) ||
    /^(\d{1,4})\1+$/.test(pin) ||
    (digits.length >= 4 && pin.includes(digits)) ||
    (digits.length >= pin.length && digits.includes(pin))
  );
}

/** The secret in the QR code of a card. It is in the fragment of a link, which browsers do not send. */
export const cardToken = z.string().regex(/^[\w-]{43}$/);
/** The link in the QR code of a card. */
export const cardLink = (origin: string, token: string) => `${origin}/login/pin#card=${token}`;

/** What the person who hands it over gets, once. `card` is null if the card stays valid. */
export const issuedPin = z.object({
  name: z.string(),
  company: z.string(),
  /** The short name of the company in the login. */
  companyCode: z.string(),
  number: z.string(),
  pin: z.string(),
  card: cardToken.nullable(),
});
export type IssuedPin = z.infer<typeof issuedPin>;
/** `newCard`: the earlier card stops working. The first PIN always comes with one. */
export const pinOrder = z.object({ newCard: z.boolean().default(false) });

const company = z.string().trim().toLowerCase().min(1).max(140);

export const pins = defineContracts("pins", {
  signIn: post("/api/auth/pin", {
    priority: "light",
    does: "Sign in with company, personnel number and PIN, or with a card; sets the refresh cookie",
    body: z
      .object({
        company,
        number: personnelNumber,
        /** Not needed with a card if the company accepts cards alone. */
        pin: pin.optional(),
        card: cardToken.optional(),
        /** Required if another person knows the PIN: 403 `auth.pinMustChange` says so. */
        newPin: pin.optional(),
        /** Several people use this device: the session ends when the browser is closed. */
        shared: z.boolean().default(false),
      })
      .refine((body) => body.pin ?? body.card, { path: ["pin"] }),
    reply: z.object({ user, ...idToken.shape }),
  }),
  readCard: post("/api/auth/cards", {
    does: "Get company and personnel number of a card, and whether its login asks for the PIN",
    body: z.object({ card: cardToken }),
    reply: z.object({ company: z.string(), companyCode: z.string(), number: z.string(), asksPin: z.boolean() }),
  }),
});
