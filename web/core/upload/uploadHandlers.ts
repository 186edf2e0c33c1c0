import type { Upload } from "#web/core/upload/uploads.ts";

/** What a domain does with a file once it is stored. Runs on whatever page the person is by then. */
export type UploadHandler = {
  /** Must be safe to ask twice: the answer to the first may get lost. An `ApiError` 4xx is a refusal. */
  finish: (stored: { path: string; name: string; about: unknown }, signal: AbortSignal) => Promise<unknown>;
  /** It ended (`done`, `refused` or `failed`) while nobody was looking at its drop area. */
  announce: (upload: Upload) => void;
};
type Kind = {
  /** How many may be under way at once. */ atOnce: number;
  load?: () => Promise<{ finisher: UploadHandler }>;
};

const kinds = new Map<string, Kind>();

/** Says what becomes of uploads of a kind; `routes.tsx` does, because core knows no domain. */
export const registerUploadHandler = (kind: string, how: Kind) => kinds.set(kind, how);
export const kindOf = (kind: string): Kind => kinds.get(kind) ?? { atOnce: 3 };
