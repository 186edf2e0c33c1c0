// Which numbers and names fit at the columns of a chart. Sizes are in px

/** The approximate width of a character; the space between two numbers, and between two names. */
const CHARACTER = 7.5;
const SPACE = 4;
const NAME_SPACE = 10;

const widthOf = (text: string) => text.length * CHARACTER + SPACE;

/**
 * The numbers above columns that are `room` wide: in the first format in which all fit; otherwise in the last format,
 * and only where the number covers no higher column.
 */
export function chooseTexts(values: number[], room: number, formats: ((value: number) => string)[]): string[] {
  const write = (format: (value: number) => string) => values.map((value) => (value > 0 ? format(value) : ""));
  const fitting = formats.map(write).find((texts) => texts.every((text) => text === "" || widthOf(text) <= room));
  if (fitting) return fitting;
  const shortest = write(formats.at(-1) ?? String);
  const chosen = values.map(() => "");
  const byHeight = values.map((value, n) => ({ value, n })).toSorted((a, b) => b.value - a.value);
  for (const { value, n } of byHeight) {
    const text = shortest[n] as string;
    const reach = Math.ceil(widthOf(text) / room);
    const isFree = values
      .slice(Math.max(0, n - reach), n + reach + 1)
      .every((other, i) => other <= value && chosen[Math.max(0, n - reach) + i] === "");
    if (value > 0 && room > 0 && isFree) chosen[n] = text;
  }
  return chosen;
}

/** The names below columns, aligned with the start of their column: every name, every second, every third … */
export function chooseNames(names: string[], room: number): string[] {
  const widest = Math.max(0, ...names.map(({ length }) => length)) * CHARACTER;
  const every = room > 0 ? Math.ceil((widest + NAME_SPACE) / room) : names.length;
  const hasRoom = (n: number) => (names.length - n) * room >= widest;
  return names.map((name, n) => (n % every === 0 && (every === 1 || hasRoom(n)) ? name : ""));
}
