/** A reference inside the elements with the ids `within` that draws the element `target` again, or clips by it. */
export type Reference = { target: string; within: string[] };

/**
 * True if an element that is drawn again contains such a reference itself: a few levels of them keep a browser busy for
 * minutes.
 */
export function findHeavyReferences(references: Reference[]) {
  const drawing = new Set(references.flatMap(({ within }) => within));
  return references.some(({ target }) => drawing.has(target));
}
