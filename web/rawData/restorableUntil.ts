import { RESTORE_DAYS } from "#shared/rawData/rawData.ts";

const DAY_MS = 86_400_000;

/** The end of the restore period for values that are deleted now. */
export const restorableUntil = () => new Date(Date.now() + RESTORE_DAYS * DAY_MS);
