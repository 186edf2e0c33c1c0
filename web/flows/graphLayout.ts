import type { Flow } from "#shared/flows/flows.ts";
import type { Variable } from "#shared/variables/variables.ts";

/** A variable in a box, as a source or target of flows. */
export type Port = { id: string; label: string; key: string };
/** A course with its variables, the variables of no or several courses, or a webhook. */
export type Box = { id: string; title: string; kind: "course" | "shared" | "webhook"; ports: Port[] };
export type PlacedBox = Box & { x: number; y: number };

export const BOX_WIDTH = 232;
const COLUMN_GAP = 120;
const ROW_GAP = 28;
const HEAD_HEIGHT = 52;
const PORT_HEIGHT = 34;

/** The boxes of the graph. Variables of several courses share one box with those of none. */
export function boxesOf(variables: Variable[], webhooks: { id: string; name: string }[], sharedTitle: string): Box[] {
  const boxes = new Map<string, Box>();
  for (const { id, label, key, courses } of variables) {
    const [course] = courses;
    const onlyCourse = courses.length === 1 && course ? course : null;
    const boxId = onlyCourse ? onlyCourse.courseId : "shared";
    const box: Box = boxes.get(boxId) ?? {
      id: boxId,
      title: onlyCourse ? onlyCourse.title : sharedTitle,
      kind: onlyCourse ? "course" : "shared",
      ports: [],
    };
    box.ports.push({ id, label, key });
    boxes.set(boxId, box);
  }
  const receivers = webhooks.map(({ id, name }): Box => ({
    id,
    title: name,
    kind: "webhook",
    ports: [{ id, label: name, key: "" }],
  }));
  return [...boxes.values(), ...receivers];
}

/**
 * Boxes in columns, from sources to targets: where possible, a box is to the right of every box from which it receives
 * values.
 */
export function placeBoxes(boxes: Box[], flows: Flow[]): PlacedBox[] {
  const boxOf = new Map(boxes.flatMap(({ id, ports }) => ports.map((port): [string, string] => [port.id, id])));
  const edges = flows.flatMap(({ source, target }): [string, string][] => {
    const [from, to] = [boxOf.get(source.id), boxOf.get(target.id)];
    return from && to && from !== to ? [[from, to]] : [];
  });
  const column = new Map(boxes.map(({ id }) => [id, 0]));
  // Boxes can form cycles although variables cannot, so the number of rounds is limited.
  for (let round = 0; round < Math.min(boxes.length, 6); round++)
    for (const [from, to] of edges) {
      const least = Math.min((column.get(from) ?? 0) + 1, 5);
      if ((column.get(to) ?? 0) < least) column.set(to, least);
    }
  const last = Math.max(1, ...column.values());
  const heights = new Map<number, number>();
  return boxes.map((box) => {
    const isIdleWebhook = box.kind === "webhook" && !edges.some(([, to]) => to === box.id);
    const at = isIdleWebhook ? last : (column.get(box.id) ?? 0);
    const y = heights.get(at) ?? 0;
    heights.set(at, y + HEAD_HEIGHT + box.ports.length * PORT_HEIGHT + ROW_GAP);
    return { ...box, x: at * (BOX_WIDTH + COLUMN_GAP), y };
  });
}
