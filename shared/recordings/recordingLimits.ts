// Limits of recordings, separate from the contracts to keep zod out of the player shell

/** Largest chunk, in bytes: compressed, and after decompression. */
export const MAX_CHUNK_BYTES = 512 * 1024;
export const MAX_CHUNK_BYTES_INFLATED = 8 * 1024 * 1024;
/** Largest recording of a session, in bytes of its compressed chunks, and in chunks. */
export const MAX_RECORDING_BYTES = 20 * 1024 * 1024;
export const MAX_CHUNKS = 5000;
/** Events of one chunk, and their age in ms when it is sent. */
export const MAX_CHUNK_EVENTS = 500;
export const CHUNK_INTERVAL_MS = 5000;
/** A page with more elements is not recorded, nor one whose snapshot has more characters of JSON. */
export const MAX_PAGE_ELEMENTS = 20_000;
export const MAX_SNAPSHOT_CHARS = 4_000_000;
/** A page that changes faster is not recorded on, in characters of JSON without snapshots within a minute. */
export const MAX_CHARS_PER_MINUTE = 6_000_000;
/** A page whose changes take longer to read is not recorded on, in ms of the main thread within a minute. */
export const MAX_MS_PER_MINUTE = 6000;
/** Compressed bytes that wait for the network; beyond them the recording ends. */
export const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** Most nodes of a snapshot or of one change, and of a whole recording. */
export const MAX_NODES = 100_000;
export const MAX_RECORDING_NODES = 500_000;
/** Most events of a recording that is shown, and their size in bytes of JSON. */
export const MAX_RECORDING_EVENTS = 100_000;
export const MAX_RECORDING_BYTES_INFLATED = 64 * 1024 * 1024;

/** The path that stands in a recording for the folder of its package. */
export const PACKAGE_PATH = "/files/-/";
/** How the value of the event begins that says why a recording ended. */
export const RECORDING_ENDED = "recording ended: ";
