import { createHmac, randomInt } from "node:crypto";
import qrcode from "qrcode";
import { isSame, sign } from "#server/core/secrets.ts";
import type { RegistrationRow } from "#server/events/registrations/seats.ts";

type Secret = { config: { secret: string } };
type Held = Pick<RegistrationRow, "id" | "reference" | "ticketVersion">;

/** Digits and letters that nobody mixes up (Crockford's base 32). */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** A number for a registration that people can read out, 50 bits. */
export const newReference = () => Array.from({ length: 10 }, () => ALPHABET[randomInt(32)]).join("");

/** The token of the links in the mails: made of the server's secret, so that every mail can carry it and no row tells it. */
export const manageTokenOf = ({ config }: Secret, registrationId: string) =>
  createHmac("sha256", config.secret).update(`event registration ${registrationId}`).digest("base64url");

const signatureOf = ({ config }: Secret, id: string, version: number) =>
  sign(config.secret, `event ticket ${id} ${version}`);

/** What the QR code says: reference, version and a signature. It opens the door and nothing else. */
export const ticketOf = (ctx: Secret, { id, reference, ticketVersion }: Held) =>
  `${reference}.${ticketVersion}.${signatureOf(ctx, id, ticketVersion)}`;

export const referenceIn = (ticket: string) => ticket.trim().split(".")[0]?.toUpperCase() ?? "";

/** Whether a ticket is the one that counts, one that was replaced since, or none of ours. */
export function checkTicket(ctx: Secret, held: Held, ticket: string): "good" | "replaced" | "unknown" {
  const [, version = "", signature = ""] = ticket.trim().split(".");
  if (!/^\d{1,6}$/.test(version) || !isSame(signatureOf(ctx, held.id, Number(version)), signature)) return "unknown";
  return Number(version) === held.ticketVersion ? "good" : "replaced";
}

/** The ticket as a PNG of some 270 pixels, black on white with a quiet zone. */
export const ticketPicture = (ticket: string): Promise<Buffer> =>
  qrcode.toBuffer(ticket, { type: "png", errorCorrectionLevel: "M", margin: 4, scale: 6 });
