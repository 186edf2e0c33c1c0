import type { Upload } from "#web/core/upload/uploads.ts";

/** What a domain does with a file once it is stored. Runs independently of the current page. */
export type UploadHandler = {
  /** Must be idempotent, because a lost reply leads to a second call. An `ApiError` 4xx is final. */
  finish: (stored: { fullPath: string; name: string; about: unknown }, signal: AbortSignal) => Promise<unknown>;
  /** Called when an upload ends (`done`, `refused` or `failed`) while its drop area is not visible. */
  announce: (upload: Upload) => void;
};
type KindOptions = {
  /** Number of parallel uploads. */
  atOnce: number;
  load?: () => Promise<{ uploadHandler: UploadHandler }>;
};

const kinds = new Map<string, KindOptions>();

/** Registers the handler for uploads of a kind. `routes.tsx` calls it, because core imports no domain. */
export const registerUploadHandler = (kind: string, options: KindOptions) => kinds.set(kind, options);
export const kindOf = (kind: string): KindOptions => kinds.get(kind) ?? { atOnce: 3 };
