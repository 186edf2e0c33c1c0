import { readFileSync } from "node:fs";

/**
 * Preloaded with `node --import` into a server process under test: shifts the current time of `Date` by the number of
 * milliseconds in the file CLOCK_FILE, which is read again on SIGUSR2. Timers keep their pace.
 */
const file = process.env.CLOCK_FILE as string;
const RealDate = Date;
let shiftMs = 0;
const readShift = () => {
  shiftMs = Number(readFileSync(file, "utf8"));
};
readShift();
process.on("SIGUSR2", readShift);

const now = () => RealDate.now() + shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)) as unknown,
});
