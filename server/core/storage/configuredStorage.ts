import { join } from "node:path";
import type { Config } from "#server/core/config.ts";
import type { Storage } from "#server/core/storage/storage.ts";
import { diskStorage } from "#server/core/storage/storageDisk.ts";
import { s3Storage } from "#server/core/storage/storageS3.ts";

/** The storage selected by the configuration: `DATA_DIR/files`, or the bucket of `STORAGE_URL`. */
export const openStorage = ({ filesDir, storageUrl }: Pick<Config, "filesDir" | "storageUrl">): Storage =>
  storageUrl ? s3Storage(storageUrl, join(filesDir, "incoming")) : diskStorage(filesDir);
