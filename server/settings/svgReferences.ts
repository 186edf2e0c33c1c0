/** A copy of, or a clip by, the element with the id `target`, written within elements with the ids `within`. */
export type Reference = { target: string; within: string[] };

/**
 * True if something that is drawn once more itself draws something once more: a few such levels keep a browser busy
 * for minutes.
 */
export function findHeavyReferences(references: Reference[]) {
  const drawing = new Set(references.flatMap(({ within }) => within));
  return references.some(({ target }) => drawing.has(target));
}
