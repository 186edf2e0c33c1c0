import { z } from "zod";

// The design of a certificate: what it says, and how it is laid out

export const paper = z.enum(["a4", "letter"]);
export const orientation = z.enum(["landscape", "portrait"]);
/** Facts that a design shows in its row of facts, in this order. */
export const designField = z.enum(["score", "completed", "validUntil", "minutes", "courses"]);
export type DesignField = z.infer<typeof designField>;
/** What a certificate is for. */
export const certificateKind = z.enum(["course", "path"]);
export type CertificateKind = z.infer<typeof certificateKind>;
/** The facts that certificates of each kind can have. */
export const fieldsOf: Record<CertificateKind, readonly DesignField[]> = {
  course: ["score", "completed", "validUntil", "minutes"],
  path: ["completed", "validUntil", "courses"],
};
/** The picture at the side, in the colour of the issuer. */
export const sidePicture = z.enum(["arches", "band", "none"]);

/** Bytes and pixels of a picture. */
export const PICTURE_BYTES = 512 * 1024;
export const PICTURE_PIXELS = 3000;
export const MAX_MONTHS = 120;

const line = z.string().trim().max(120);
/** SHA-256 of a picture. */
export const pictureHash = z.string().regex(/^[0-9a-f]{64}$/);
const signer = z.object({
  name: z.string().trim().max(80),
  role: z.string().trim().max(80),
  /** A picture of a signature: it proves nothing. */
  picture: pictureHash.nullable(),
});

export const designContent = z.object({
  paper,
  orientation,
  side: sidePicture,
  /** What the certificate is called, in its proof and for screen readers. */
  title: z.string().trim().min(1).max(120),
  /** Lines above the name, and between the name and the course. */
  intro: line,
  verb: line,
  /** A paragraph below the course. */
  text: z.string().trim().max(400),
  /** `company`: the logo that the issuer has when a certificate is issued. */
  logo: z.union([z.literal("company"), pictureHash, z.null()]),
  fields: z.array(designField).max(designField.options.length),
  signers: z.array(signer).max(2),
  /** Months from the day of completion; null: for good. */
  months: z.int().min(1).max(MAX_MONTHS).nullable(),
});
export type DesignContent = z.infer<typeof designContent>;

/** The size of a page in points, landscape. */
const PAPERS = { a4: [841.89, 595.28], letter: [792, 612] } as const;
export function pageSize({ paper: format, orientation: turned }: Pick<DesignContent, "paper" | "orientation">) {
  const [long, short] = PAPERS[format];
  return turned === "landscape" ? { width: long, height: short } : { width: short, height: long };
}

/** How the issuer looked when a certificate was issued. `logo` is the hash of a picture. */
export type CertificateBrand = { color: string | null; logo: string | null };
