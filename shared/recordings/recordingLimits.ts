// Limits of recordings, separate from the contracts to keep zod out of the player shell

/** Largest chunk, in bytes: compressed, and after decompression. */
export const MAX_CHUNK_BYTES = 512 * 1024;
export const MAX_CHUNK_BYTES_INFLATED = 8 * 1024 * 1024;
/** Largest recording of a session, in bytes of its compressed chunks, and in chunks. */
export const MAX_RECORDING_BYTES = 20 * 1024 * 1024;
export const MAX_CHUNKS = 5000;
/** Maximum number of events of one chunk, and their maximum age in ms before it is sent. */
export const MAX_CHUNK_EVENTS = 500;
export const CHUNK_INTERVAL_MS = 5000;
/** A page with more elements is not recorded, nor one whose snapshot has more characters of JSON. */
export const MAX_PAGE_ELEMENTS = 20_000;
export const MAX_SNAPSHOT_CHARS = 4_000_000;
/** Recording stops if a page changes faster; in characters of JSON per minute, without snapshots. */
export const MAX_CHARS_PER_MINUTE = 6_000_000;
/** Recording stops if reading the changes takes longer; in ms of the main thread per minute. */
export const MAX_MS_PER_MINUTE = 6000;
/** Maximum compressed bytes that wait for the network; beyond that, the recording ends. */
export const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** Maximum number of nodes of a snapshot or of one change, and of a whole recording. */
export const MAX_NODES = 100_000;
export const MAX_RECORDING_NODES = 500_000;
/** Maximum number of events of a recording that is shown, and their size in bytes of JSON. */
export const MAX_RECORDING_EVENTS = 100_000;
export const MAX_RECORDING_BYTES_INFLATED = 64 * 1024 * 1024;

/** Replaces the path of the package's folder in a recording. */
export const PACKAGE_PATH = "/files/-/";
/** Prefix of the event value that says why a recording ended. */
export const RECORDING_ENDED = "recording ended: ";
