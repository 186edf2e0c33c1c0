import { RESTORE_DAYS } from "#shared/rawData/rawData.ts";

const DAY_MS = 86_400_000;

/** Until when values that are deleted now can be restored. */
export const restorableUntil = () => new Date(Date.now() + RESTORE_DAYS * DAY_MS);
