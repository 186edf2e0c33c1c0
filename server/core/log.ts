import { type DestinationStream, pino } from "pino";

export type Log = pino.Logger;

/**
 * One JSON line an event. Personal data stays out: requests are logged by method, route pattern and status, people by
 * id; tokens, cookies and bodies never. On a terminal the lines are printed for people.
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
