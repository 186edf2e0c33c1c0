import { statfs } from "node:fs/promises";

/** With less free space than this, writes are about to fail: PostgreSQL takes 16 MB at once for its log. */
const MIN_FREE_MB = 20;

/** Whether the disk of a folder is about to be full; false if this cannot be determined. */
export const isNearlyFull = (folder: string) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize < MIN_FREE_MB * 1024 ** 2,
    () => false,
  );
