import { totalmem } from "node:os";

const KB = 1024;
const MB = 1024 * KB;
const GB = 1024 * MB;

const MAX_CONNECTIONS = 100;
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
const inKb = (bytes: number) => `${Math.floor(bytes / KB)}kB`;

/** Memory that this process and its children may use, in bytes: that of the machine, or the limit of its container. */
export const usableMemory = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * Settings of the embedded PostgreSQL for a machine with `memory` bytes, which it shares with the server. Shared
 * buffers take an eighth; what all connections together may sort in, with a hash table of twice that size each, a
 * quarter on large machines. PostgreSQL reserves none of it before it is used.
 */
export const settingsFor = (memory: number) => {
  const sharedBuffers = clamp(memory / 8, 32 * MB, 4 * GB);
  return {
    max_connections: MAX_CONNECTIONS,
    shared_buffers: inKb(sharedBuffers),
    /** What the planner expects to find in the buffers and the cache of the system. */
    effective_cache_size: inKb(Math.max(sharedBuffers, memory / 2)),
    work_mem: inKb(clamp(memory / 8 / MAX_CONNECTIONS, 4 * MB, 32 * MB)),
    maintenance_work_mem: inKb(clamp(memory / 32, 16 * MB, 512 * MB)),
    /** Of an SSD; 4 is that of a hard disk. */
    random_page_cost: 1.1,
    max_wal_size: "1GB",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_min_messages: "warning",
    unix_socket_permissions: "0700",
    client_connection_check_interval: "5s",
  };
};

/** Settings that an operator may change (`POSTGRES_SETTINGS`); the others belong to how the server is run. */
const adjustable = [
  "shared_buffers",
  "effective_cache_size",
  "work_mem",
  "maintenance_work_mem",
  "random_page_cost",
  "max_wal_size",
  "max_parallel_workers_per_gather",
] as const;

/** Settings as in `shared_buffers=2GB work_mem=16MB`; null if one of them cannot be changed or has no such value. */
export function readSettings(text: string): Record<string, string> | null {
  const settings = text.split(/[\s,]+/).filter(Boolean);
  const isAdjustable = (setting: string) => /^(\w+)=\d+(\.\d+)?(kB|MB|GB)?$/.exec(setting)?.[1];
  if (!settings.every((setting) => adjustable.some((name) => name === isAdjustable(setting)))) return null;
  return Object.fromEntries(settings.map((setting) => setting.split("=") as [string, string]));
}
