import { z } from "zod";
import { certificateKind, designContent, pictureHash, PICTURE_BYTES } from "#shared/certificates/designs.ts";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, listQuery, MIB, page, patch, post, put } from "#shared/core/route.ts";
import { anyone, isAdmin, isSignedIn, withReauth } from "#shared/core/users.ts";

// Certificates of completed courses and learning paths: designs, certificates of people, and their public page

/** `expired` and `expiring` depend on today; `replaced`: issued again, as after a change of name. */
export const certificateState = z.enum(["valid", "expired", "revoked", "replaced"]);
export type CertificateState = z.infer<typeof certificateState>;

export const certificate = z.object({
  id: z.uuid(),
  number: z.string(),
  title: z.string(),
  /** The name on it; null after an erasure. */
  name: z.string().nullable(),
  personId: z.uuid().nullable(),
  companyId: z.uuid(),
  company: z.string(),
  kind: certificateKind,
  /** Of its kind one of the two; the other is null. */
  courseId: z.uuid().nullable(),
  pathId: z.uuid().nullable(),
  /** Title and version of the course or the learning path. */
  course: z.string(),
  courseVersion: z.int(),
  completedOn: z.string(),
  issuedOn: z.string(),
  validUntil: z.string().nullable(),
  scorePercent: z.number().nullable(),
  minutes: z.int().nullable(),
  state: certificateState,
  /** Whether the tree of the issuer contains it. */
  sealed: z.boolean(),
  showName: z.boolean(),
  showScore: z.boolean(),
  showMinutes: z.boolean(),
  revokedAt: z.string().nullable(),
  revokedReason: z.string().nullable(),
  /** Since when its learning path is not completed any more; the certificate stays valid until it is revoked. */
  takenBackAt: z.string().nullable(),
  /** The name of the account, if it is no longer the one on the certificate. */
  newName: z.string().nullable(),
  /** The number of the certificate that was issued in place of it. */
  replacedBy: z.string().nullable(),
});
export type Certificate = z.infer<typeof certificate>;

/** What anybody who has the number may see. */
export const publicCertificate = z.object({
  number: z.string(),
  state: certificateState,
  title: z.string(),
  issuer: z.string(),
  color: z.string().nullable(),
  kind: certificateKind,
  /** Title and version of the course or the learning path. */
  course: z.string(),
  courseVersion: z.int(),
  /** How it was completed, in words. */
  rule: z.string(),
  /** Titles of the courses that counted for a learning path; none for a course. */
  courses: z.array(z.string()),
  /** Titles of further ones that were completed elsewhere, as the issuer says. */
  elsewhere: z.array(z.string()),
  completedOn: z.string(),
  issuedOn: z.string(),
  validUntil: z.string().nullable(),
  /** Null unless the holder shows them. */
  name: z.string().nullable(),
  scorePercent: z.number().nullable(),
  minutes: z.int().nullable(),
  /** The salted hash of the name. */
  holder: z.string(),
  revokedOn: z.string().nullable(),
  replacedBy: z.string().nullable(),
  /** The day of the erasure that has removed the name. */
  namelessSince: z.string().nullable(),
  keepUntil: z.string().nullable(),
  keepGround: z.string().nullable(),
  sealed: z.boolean(),
  /** The day of the signed head that covers it. */
  headDay: z.string().nullable(),
  /** On which day (UTC) and by whom the first such head was time-stamped, where the academy uses an authority. */
  timestamp: z.object({ on: z.string(), by: z.string() }).nullable(),
});
export type PublicCertificate = z.infer<typeof publicCertificate>;

export const design = z.object({
  enabled: z.boolean(),
  number: z.int(),
  version: z.int(),
  content: designContent,
  updatedAt: z.string(),
  /** Certificates of this course or learning path. */
  issued: z.int(),
  /** Completions without a certificate, of people who are still there. */
  missing: z.int(),
});
export type Design = z.infer<typeof design>;

const proofFile = z.looseObject({ format: z.string() });
const publicNumber = z.object({ number: z.string().max(64) });
const headParams = z.object({ id: z.uuid(), day });
const courseParams = z.object({ courseId: z.uuid() });
const pathParams = z.object({ pathId: z.uuid() });
const designInput = z.object({ enabled: z.boolean(), content: designContent, version: z.int().nullable() });
const sampleInput = z.object({ content: designContent, name: z.string().trim().min(1).max(120) });
const missing = z.object({ missing: z.int() });
const offer = z.object({
  earned: certificate.nullable(),
  offer: z.object({ months: z.int().nullable() }).nullable(),
});
export const REASON_MAX = 500;

// Who may do what

export const canDesign = isAdmin;
export const canListIssued = isAdmin;
export const canSeeOwn = isSignedIn;
/** Withdrawing a certificate is public. */
export const canRevoke = withReauth(isAdmin);
export const canVerify = anyone;

// Endpoints

export const certificateFilter = z.object({
  companyId: z.uuid().optional(),
  courseId: z.uuid().optional(),
  pathId: z.uuid().optional(),
  state: certificateState.optional(),
  /** Only those whose learning path is not completed any more. */
  takenBack: z.stringbool().optional(),
});

export const certificates = defineContracts("certificates", {
  design: get("/api/courses/:courseId/certificate", {
    does: "Get the certificate of a course; null if it has none",
    params: courseParams,
    reply: design.nullable(),
  }),
  saveDesign: put("/api/courses/:courseId/certificate", {
    does: "Set the certificate of a course: a changed design is a new version; 409 if it changed since `version`",
    params: courseParams,
    body: designInput,
    reply: design,
  }),
  pathDesign: get("/api/paths/:pathId/certificate", {
    does: "Get the certificate of a learning path; null if it has none",
    params: pathParams,
    reply: design.nullable(),
  }),
  savePathDesign: put("/api/paths/:pathId/certificate", {
    does: "Set the certificate of a learning path, as that of a course",
    params: pathParams,
    body: designInput,
    reply: design,
  }),
  addPicture: post("/api/certificates/pictures", {
    maxBytes: 1 * MIB,
    does: "Store a picture for a design (PNG or JPEG as data URL); returns its hash",
    body: z.object({ dataUrl: z.string().max(PICTURE_BYTES * 1.4) }),
    reply: z.object({ hash: pictureHash }),
  }),
  picture: get("/api/certificates/pictures/:hash", {
    priority: "heavy",
    does: "Get a picture of a design",
    params: z.object({ hash: pictureHash }),
    reply: z.string(),
  }),
  sample: post("/api/courses/:courseId/certificate/sample", {
    priority: "heavy",
    does: "Get the PDF of a design with a name of your choice, marked as a sample",
    params: courseParams,
    body: sampleInput,
    reply: z.string(),
  }),
  pathSample: post("/api/paths/:pathId/certificate/sample", {
    priority: "heavy",
    does: "Get the PDF of a design for a learning path with a name of your choice, marked as a sample",
    params: pathParams,
    body: sampleInput,
    reply: z.string(),
  }),
  issueMissing: post("/api/courses/:courseId/certificate/missing", {
    does: "Issue certificates for completions that have none, with the day of the completion; done by a job",
    params: courseParams,
    reply: missing,
  }),
  issueMissingOfPath: post("/api/paths/:pathId/certificate/missing", {
    does: "Issue certificates for completions of a learning path that have none, as for a course",
    params: pathParams,
    reply: missing,
  }),
  list: get("/api/certificates", {
    does: "List issued certificates, newest first; `q` is a number or a name",
    query: listQuery.omit({ sort: true }).extend(certificateFilter.shape),
    reply: page(certificate),
  }),
  mine: get("/api/certificates/mine", {
    does: "List my certificates, newest first",
    query: listQuery
      .omit({ q: true, sort: true })
      .extend({ courseId: z.uuid().optional(), pathId: z.uuid().optional() }),
    reply: page(certificate),
  }),
  offer: get("/api/courses/:courseId/certificate/offer", {
    does: "My newest certificate of this course, and whether completing it gives one, and for how many months",
    params: courseParams,
    reply: offer,
  }),
  pathOffer: get("/api/paths/:pathId/certificate/offer", {
    does: "My newest certificate of this learning path, and whether completing it gives one, and for how many months",
    params: pathParams,
    reply: offer,
  }),
  get: get("/api/certificates/:id", { does: "Get a certificate", reply: certificate }),
  pdf: get("/api/certificates/:id/pdf", {
    priority: "heavy",
    does: "Get a certificate as tagged PDF",
    reply: z.string(),
  }),
  proof: get("/api/certificates/:id/proof", {
    priority: "heavy",
    does: "Get the proof of a certificate with the keys of its name, score and minutes; 409 until it is sealed",
    reply: proofFile,
  }),
  share: patch("/api/certificates/:id/sharing", {
    does: "Choose what the public page of my certificate shows",
    body: z.object({ showName: z.boolean(), showScore: z.boolean(), showMinutes: z.boolean() }),
    reply: certificate,
  }),
  revoke: post("/api/certificates/:id/revoke", {
    does: "Revoke a certificate; its public page says so, without the reason",
    body: z.object({ reason: z.string().trim().min(3).max(REASON_MAX) }),
    reply: certificate,
  }),
  reissue: post("/api/certificates/:id/reissue", {
    does: "Issue a certificate again under the present name of its holder; the earlier one becomes replaced",
    reply: certificate,
  }),
  verify: get("/api/verify/:number", {
    does: "Check a certificate by its number; null if it was never issued",
    params: publicNumber,
    reply: publicCertificate.nullable(),
  }),
  publicProof: get("/api/verify/:number/proof", {
    priority: "heavy",
    does: "Get the proof of a certificate, with the claims that its holder shows",
    params: publicNumber,
    reply: proofFile,
  }),
  heads: get("/api/issuers/:id/heads", {
    does: "Get the signed roots of the tree of an issuer, one for each day that has ended and on which it has grown",
    reply: z.object({
      issuer: z.uuid(),
      keys: z.array(z.object({ id: z.string(), publicKey: z.string() })),
      heads: z.array(z.looseObject({ format: z.string() })),
      /** Which of them were time-stamped, when, and by whom. */
      timestamps: z.array(z.object({ day, at: z.string(), authority: z.string() })),
    }),
  }),
  headFeed: get("/api/issuers/:id/heads.atom", {
    priority: "heavy",
    does: "Get the newest of these roots as an Atom feed",
    reply: z.string(),
  }),
  head: get("/api/issuers/:id/heads/:day", {
    priority: "heavy",
    does: "Get the root of a day as the text that was signed and time-stamped",
    params: headParams,
    reply: z.string(),
  }),
  timestamp: get("/api/issuers/:id/heads/:day/timestamp", {
    priority: "heavy",
    does: "Get the time stamp of the root of a day (RFC 3161)",
    params: headParams,
    reply: z.string(),
  }),
});
