import { z } from "zod";
import { isAdmin, isInScope, isSignedIn, type User } from "#shared/core/users.ts";

// Stored files, who may read and write them, and the object protocol to upload and download them

/** The only bucket; all objects are below `/v0/b/lyceum/o`. */
export const BUCKET = "lyceum";
export const OBJECTS_PATH = `/v0/b/${BUCKET}/o`;
/** URL path of an object. Its path is a single segment: slashes become `%2F`. */
export const objectAddress = (path: string) => `${OBJECTS_PATH}/${encodeURIComponent(path)}`;

const MIB = 1024 ** 2;

/** What a file is for. Permissions follow from this, its owner and its company, never from its path. */
export const filePurpose = z.enum([
  "course",
  "document",
  "event_cover",
  "avatar",
  "brand",
  "export",
  "import",
  "lesson",
]);
export type FilePurpose = z.infer<typeof filePurpose>;
/** Who may read a file besides its owner and admins: nobody, its company, or everyone. */
export const fileVisibility = z.enum(["private", "company", "public"]);
export type FileVisibility = z.infer<typeof fileVisibility>;

type PurposeRule = {
  maxBytes: number;
  visibility: FileVisibility;
  /** Accepts only raster images that browsers display (`IMAGE_TYPES`). */
  images: boolean;
};
/** Largest size in bytes, default visibility and kind of content by purpose. Only the server writes exports. */
export const purposes: Record<FilePurpose, PurposeRule> = {
  course: { maxBytes: 1024 * MIB, visibility: "private", images: false },
  document: { maxBytes: 200 * MIB, visibility: "private", images: false },
  event_cover: { maxBytes: 10 * MIB, visibility: "private", images: true },
  avatar: { maxBytes: 5 * MIB, visibility: "company", images: true },
  brand: { maxBytes: 2 * MIB, visibility: "public", images: true },
  export: { maxBytes: 4096 * MIB, visibility: "private", images: false },
  import: { maxBytes: 20 * MIB, visibility: "private", images: false },
  lesson: { maxBytes: 1024 * MIB, visibility: "private", images: false },
};
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];

// Policies

type FileAccess = {
  purpose: FilePurpose;
  visibility: FileVisibility;
  ownerId: string | null;
  companyId: string | null;
};
/** Learners may upload an avatar only; nobody uploads exports. */
export const canWriteFile = (user: User | null, purpose: FilePurpose): user is User =>
  purpose !== "export" && (isAdmin(user) || (isSignedIn(user) && purpose === "avatar"));
export const canReadFile = (user: User | null, file: FileAccess) =>
  file.visibility === "public" ||
  canChangeFile(user, file) ||
  (file.visibility === "company" && file.companyId !== null && file.companyId === user?.companyId);
/** Owners may change a file, and admins those in their scope, except exports. */
export const canChangeFile = (user: User | null, file: FileAccess) =>
  user !== null && (file.ownerId === user.id || (file.purpose !== "export" && isInScope(user, file)));

/**
 * An object as the protocol returns it: `name` is the full path, `metadata` the custom fields, `downloadTokens` a
 * comma-separated list. Numbers that may exceed the range of a double are strings.
 */
export const storedObject = z.object({
  bucket: z.string(),
  name: z.string(),
  generation: z.string(),
  metageneration: z.string(),
  size: z.string(),
  timeCreated: z.string(),
  updated: z.string(),
  md5Hash: z.string(),
  etag: z.string(),
  contentType: z.string(),
  contentDisposition: z.string(),
  contentEncoding: z.string(),
  contentLanguage: z.string().optional(),
  cacheControl: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  downloadTokens: z.string(),
});
export type StoredObject = z.infer<typeof storedObject>;

/**
 * The metadata of a stored file, with the names of the product. `name` is the last part of `fullPath`; `size` is in
 * bytes.
 */
export const fileMetadata = storedObject
  .omit({ metadata: true, downloadTokens: true, etag: true })
  .extend({ fullPath: z.string(), size: z.int().min(0), customMetadata: z.record(z.string(), z.string()) });
export type FileMetadata = z.infer<typeof fileMetadata>;

export const fileNameOf = (fullPath: string) => fullPath.slice(fullPath.lastIndexOf("/") + 1);
export const toFileMetadata = ({ name: fullPath, size, metadata = {}, ...rest }: StoredObject): FileMetadata =>
  fileMetadata.parse({
    ...rest,
    fullPath,
    name: fileNameOf(fullPath),
    size: Number(size),
    customMetadata: metadata,
  });

/** Metadata that a client may set; `null` in a change removes a field. */
const field = z
  .string()
  .max(1024)
  .refine((text) => !/\p{Cc}/u.test(text), { error: "files.badMetadata" });
const settable = {
  cacheControl: field,
  contentDisposition: field,
  contentEncoding: z.enum(["identity", ""]),
  contentLanguage: field,
  contentType: field,
};
const custom = z.string().max(8192);
/** Custom fields with a meaning for permissions; set at the upload and never changed. */
export const RESERVED_FIELDS = ["purpose", "companyId", "visibility"] as const;
export const objectMetadata = z
  .object(settable)
  .partial()
  .extend({
    md5Hash: z.string().max(64).optional(),
    metadata: z.record(z.string().min(1).max(256), custom).optional(),
  });
export type ObjectMetadata = z.infer<typeof objectMetadata>;
export const objectChange = z.object({
  cacheControl: field.nullish(),
  contentDisposition: field.nullish(),
  contentEncoding: settable.contentEncoding.nullish(),
  contentLanguage: field.nullish(),
  contentType: field.nullish(),
  metadata: z.record(z.string().min(1).max(256), custom.nullable()).nullish(),
});
export const objectList = z.object({
  prefixes: z.array(z.string()),
  items: z.array(z.object({ name: z.string(), bucket: z.string() })),
  nextPageToken: z.string().optional(),
});

// The resumable upload protocol

/** Uploads above this size in bytes are resumable; smaller ones are a single multipart request. */
export const RESUMABLE_ABOVE = 256 * 1024;
/** Chunk sizes in bytes; they double from the first to the largest. */
export const FIRST_CHUNK = 256 * 1024;
export const LARGEST_CHUNK = 32 * MIB;
const duration = z.number().min(0);
/** Time settings of an upload in ms; none is negative. */
export const uploadTimes = z.object({
  /** Longest delay between retries, before up to one second of jitter. */
  longestBackoffMs: duration.default(64_000),
  /** Longest wait for the reply to a cancellation. */
  cancelTimeoutMs: duration.default(10_000),
});
export type UploadTimes = z.infer<typeof uploadTimes>;
/**
 * Time settings of one request in ms: without progress it is aborted, later once all bytes are sent and the server
 * processes them.
 */
export const requestTimes = z.object({
  stalledMs: duration.default(60_000),
  processingMs: duration.default(300_000),
});
/** Days after which an unfinished upload expires. */
export const UPLOAD_DAYS = 7;

/** Whether a request with this HTTP status is retried. */
export const isRetryableStatus = (status: number) => status >= 500 || status === 408 || status === 429;

/** Header names of the resumable upload protocol. */
export const upload = {
  protocol: "x-goog-upload-protocol",
  command: "x-goog-upload-command",
  offset: "x-goog-upload-offset",
  length: "x-goog-upload-header-content-length",
  type: "x-goog-upload-header-content-type",
  status: "x-goog-upload-status",
  url: "x-goog-upload-url",
  received: "x-goog-upload-size-received",
  granularity: "x-goog-upload-chunk-granularity",
} as const;

/** States of an upload task: pause only from running, resume from paused or pausing, cancel from running or pausing. */
export const taskState = z.enum(["running", "pausing", "paused", "canceling", "canceled", "success", "error"]);
export type TaskState = z.infer<typeof taskState>;
