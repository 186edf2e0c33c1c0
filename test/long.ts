/** True under `npm run test:long`, where kill loops, large uploads and random walks run at their full length. */
export const isLong = process.env.LONG === "true";

/** The size of something deliberately slow: `short` in `npm test`, `long` in `npm run test:long`. */
export const scaled = (short: number, long: number) => (isLong ? long : short);
