import { cleanAttributes, type Cleaning, cut, num, type Raw } from "#web/shell/recording/cleanAttributes.ts";
import { cleanNode } from "#web/shell/recording/cleanNode.ts";
import { cleanMissing, MISSING_TAG } from "#shared/recordings/missingKinds.ts";

/** The kept part of an rrweb event (`@rrweb/types`): a snapshot of the page, a change, or a pointer movement. */
export type CleanEvent = { type: number; timestamp: number; data: Record<string, unknown> };

const TYPE = { full: 2, incremental: 3, meta: 4, custom: 5 } as const;
const MAX_ITEMS = 50_000;
/** Maximum size of a window, in CSS px; larger ones are shown at this size. */
const MAX_SIZE = 10_000;
const size = (value: unknown) => Math.min(MAX_SIZE, Math.max(1, num(value)));

const list = (value: unknown): Raw[] =>
  Array.isArray(value)
    ? value.slice(0, MAX_ITEMS).filter((item): item is Raw => typeof item === "object" && item !== null)
    : [];
const id = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : -1);
const index = (value: unknown) => (Array.isArray(value) ? value.slice(0, 20).map(num) : num(value));

/**
 * Changes of the page, by the number of their source (`IncrementalSource`). Canvases, fonts, media and plugins are not
 * among them.
 */
const sources: Record<number, (data: Raw, cleaning: Cleaning) => Record<string, unknown>> = {
  0: (data, cleaning) => ({
    removes: list(data.removes).map((one) => ({
      parentId: id(one.parentId),
      id: id(one.id),
      ...(one.isShadow === true && { isShadow: true }),
    })),
    adds: list(data.adds).map((one) => ({
      parentId: id(one.parentId),
      nextId: one.nextId === null ? null : id(one.nextId),
      node: cleanNode(one.node as Raw, cleaning, cleaning.tags.get(id(one.parentId)) ?? "", 0),
    })),
    texts: list(data.texts).map((one) => {
      const isStyle = cleaning.tags.get(id(one.id)) === "#style";
      const text = cut(one.value);
      return { id: id(one.id), value: isStyle ? cleaning.css(text) : cleaning.text(text) };
    }),
    attributes: list(data.attributes).map((one) => ({
      id: id(one.id),
      attributes: cleanAttributes(cleaning.tags.get(id(one.id)) ?? "", one.attributes as Raw, cleaning),
    })),
    ...(data.isAttachIframe === true && { isAttachIframe: true }),
  }),
  1: movement,
  2: (data) => ({ type: num(data.type), id: id(data.id), x: num(data.x), y: num(data.y) }),
  3: (data) => ({ id: id(data.id), x: num(data.x), y: num(data.y) }),
  4: (data) => ({ width: size(data.width), height: size(data.height) }),
  // Removes what was typed or selected.
  5: (data) => ({ id: id(data.id), text: "*".repeat(Math.min(1000, cut(data.text).length)), isChecked: false }),
  6: movement,
  8: (data, { css }) => ({
    ...ofSheet(data),
    adds: list(data.adds).map((one) => ({ rule: css(cut(one.rule)), index: index(one.index) })),
    removes: list(data.removes).map((one) => ({ index: index(one.index) })),
    ...(typeof data.replace === "string" && { replace: css(cut(data.replace)) }),
    ...(typeof data.replaceSync === "string" && { replaceSync: css(cut(data.replaceSync)) }),
  }),
  12: movement,
  13: (data, { css }) => {
    const { set, remove } = data as { set?: Raw; remove?: Raw };
    return {
      ...ofSheet(data),
      index: index(data.index),
      ...(set && { set: { property: cut(set.property), value: css(cut(set.value)), priority: cut(set.priority) } }),
      ...(remove && { remove: { property: cut(remove.property) } }),
    };
  },
  15: (data, { css }) => ({
    id: id(data.id),
    styleIds: Array.isArray(data.styleIds) ? data.styleIds.slice(0, 1000).map(id) : [],
    styles: list(data.styles).map((one) => ({
      styleId: id(one.styleId),
      rules: list(one.rules).map((rule) => ({ rule: css(cut(rule.rule)), index: index(rule.index) })),
    })),
  }),
};

function movement(data: Raw) {
  const positions = list(data.positions).map((one) => ({
    x: num(one.x),
    y: num(one.y),
    id: id(one.id),
    timeOffset: num(one.timeOffset),
  }));
  return { positions };
}
const ofSheet = (data: Raw) => ({
  ...(data.id !== undefined && { id: id(data.id) }),
  ...(data.styleId !== undefined && { styleId: id(data.styleId) }),
});

/**
 * A copy of an event with only the parts that a recording keeps; null if it keeps none. Used before an event is stored,
 * and again before it is shown, because it may have been forged since. Throws `TooLargeError` beyond the bounds of
 * `cleaning`.
 */
export function cleanEvent(event: unknown, cleaning: Cleaning): CleanEvent | null {
  const { type, timestamp, data } = (event ?? {}) as Raw;
  if (typeof timestamp !== "number" || !Number.isFinite(timestamp) || typeof data !== "object" || !data) return null;
  const raw = data as Raw;
  if (type === TYPE.meta)
    return { type, timestamp, data: { href: "", width: size(raw.width), height: size(raw.height) } };
  if (type === TYPE.full) {
    const { left, top } = (raw.initialOffset ?? {}) as Raw;
    cleaning.tags.clear();
    const node = cleanNode(raw.node as Raw, cleaning, "", 0);
    return { type, timestamp, data: { node, initialOffset: { left: num(left), top: num(top) } } };
  }
  if (type === TYPE.custom && raw.tag === MISSING_TAG)
    return { type, timestamp, data: { tag: MISSING_TAG, payload: cleanMissing(raw.payload) } };
  const clean = type === TYPE.incremental && typeof raw.source === "number" ? sources[raw.source] : undefined;
  return clean ? { type: TYPE.incremental, timestamp, data: { source: raw.source, ...clean(raw, cleaning) } } : null;
}
