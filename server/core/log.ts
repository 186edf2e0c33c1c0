import { type DestinationStream, pino } from "pino";

export type Log = pino.Logger;

/**
 * Writes one JSON line per entry; on a terminal, readable text. No personal data: requests are logged by method, route
 * pattern and status, people by id; tokens, cookies and bodies never.
 */
export function createLog(level: string, to?: DestinationStream): Log {
  const pretty = process.stdout.isTTY
    ? { transport: { target: "pino-pretty", options: { ignore: "pid,hostname" } } }
    : {};
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["req.headers", "headers"],
  };
  return to ? pino(options, to) : pino({ ...options, ...pretty });
}
