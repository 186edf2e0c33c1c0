import { createHmac, randomInt } from "node:crypto";
import qrcode from "qrcode";
import { isSame, sign } from "#server/core/secrets.ts";
import type { RegistrationRow } from "#server/events/registrations/seats.ts";

type Secret = { config: { secret: string } };
type TicketHolder = Pick<RegistrationRow, "id" | "reference" | "ticketVersion">;

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** A reference number that people can read out; 50 bits of entropy. */
export const newReference = () => Array.from({ length: 10 }, () => ALPHABET[randomInt(32)]).join("");

/**
 * The token in email links. Derived from the server's secret, so that every email can contain it while only its hash is
 * stored.
 */
export const manageTokenOf = ({ config }: Secret, registrationId: string) =>
  createHmac("sha256", config.secret).update(`event registration ${registrationId}`).digest("base64url");

const signatureOf = ({ config }: Secret, id: string, version: number) =>
  sign(config.secret, `event ticket ${id} ${version}`);

/** The content of the QR code: reference, version and signature. Valid for check-in only. */
export const ticketOf = (ctx: Secret, { id, reference, ticketVersion }: TicketHolder) =>
  `${reference}.${ticketVersion}.${signatureOf(ctx, id, ticketVersion)}`;

export const referenceIn = (ticket: string) => ticket.trim().split(".")[0]?.toUpperCase() ?? "";

/** Whether a ticket is valid, was replaced by a newer version, or was not issued by this server. */
export function checkTicket(ctx: Secret, holder: TicketHolder, ticket: string): "valid" | "replaced" | "unknown" {
  const [, version = "", signature = ""] = ticket.trim().split(".");
  if (!/^\d{1,6}$/.test(version) || !isSame(signatureOf(ctx, holder.id, Number(version)), signature)) return "unknown";
  return Number(version) === holder.ticketVersion ? "valid" : "replaced";
}

/** The ticket as a PNG image, about 270 pixels wide, black on white with a quiet zone (ISO/IEC 18004). */
export const ticketPicture = (ticket: string): Promise<Buffer> =>
  qrcode.toBuffer(ticket, { type: "png", errorCorrectionLevel: "M", margin: 4, scale: 6 });
