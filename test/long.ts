/** True in `npm run test:long`, which runs slow tests, such as repeated kills of the server, at full length. */
export const isLong = process.env.LONG === "true";

/** The size of a slow test: `short` in `npm test`, `long` in `npm run test:long`. */
export const scaled = (short: number, long: number) => (isLong ? long : short);
