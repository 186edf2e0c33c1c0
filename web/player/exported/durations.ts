import type { PackageStandard } from "#shared/lessons/transfer/exported.ts";

const pad = (n: number, length = 2) => String(n).padStart(length, "0");
const durations = {
  scorm12: (ms: number) => {
    const s = Math.round(ms / 1000);
    return `${pad(Math.floor(s / 3600), 4)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}`;
  },
  scorm2004: (ms: number) => `PT${Math.round(ms / 1000)}S`,
};
/** A time in ms as SCORM 1.2 (`HHHH:MM:SS`) or 2004 (ISO 8601) write it. */
export const formatDuration = (standard: PackageStandard, ms: number) => durations[standard](ms);
