/** An order of things that is always the same for one person, and another for most others. */
export const orderFor = <T extends { id: string }>(person: string, list: T[]): T[] =>
  list
    .map((one) => ({ one, place: hash(`${person} ${one.id}`) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);

/** FNV-1a, 32 bits. */
function hash(text: string) {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return sum;
}
