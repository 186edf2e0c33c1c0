import { parentPort, workerData } from "node:worker_threads";
import * as Y from "yjs";
import { applyEdit, isAddedBy, type LessonEdit } from "#server/lessons/drafts/blockEdits.ts";
import { traceBlocks } from "#server/lessons/drafts/blockTraces.ts";
import { type Bounds, readNodes } from "#server/lessons/drafts/yNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Applies the updates of each lesson to a Yjs document. Runs in a worker thread, because hostile updates can take any
// amount of time and memory.

/**
 * `edit`: a change of the lesson as it is after its first `seen` updates, which is merged with the others. `isTracing`:
 * finds out which updates wrote in which blocks.
 */
export type ReadOrder = {
  bounds: Bounds;
  lessons: { id: string; updates: Uint8Array[]; edit?: LessonEdit; seen?: number }[];
  isMerging: boolean;
  isTracing: boolean;
};
export type ReadReply = {
  id: string;
  nodes: NodeJson | null;
  merged: Uint8Array | null;
  /** The number of the last update that wrote in a block, counted from 0, by the id of the block. */
  traces: Record<string, number>;
  edited: { update: Uint8Array; before: NodeJson; after: NodeJson; kept: number } | null;
  /** The lesson has a block meanwhile that the edit would add again. */
  isOutdated: boolean;
};

const { bounds, lessons, isMerging, isTracing } = workerData as ReadOrder;
for (const { id, updates, edit, seen } of lessons) {
  const doc = new Y.Doc();
  const reply: ReadReply = { id, nodes: null, merged: null, traces: {}, edited: null, isOutdated: false };
  try {
    if (isTracing) reply.traces = traceBlocks(doc, updates, bounds);
    else for (const update of updates) Y.applyUpdate(doc, update);
    if (isMerging) reply.merged = Y.encodeStateAsUpdate(doc);
    else reply.nodes = readNodes(doc, bounds);
    if (edit) {
      const known = readSeen(updates.slice(0, seen));
      reply.isOutdated = addsAgain(doc, known, edit);
      if (!reply.isOutdated) reply.edited = editLesson(known, edit);
    }
    parentPort?.postMessage(reply);
  } catch {
    // This lesson is reported as broken; the others are still read.
    const broken: ReadReply = { id, nodes: null, merged: null, traces: {}, edited: null, isOutdated: false };
    parentPort?.postMessage(broken);
  }
}

/** The lesson that the author of an edit has seen. */
function readSeen(updates: Uint8Array[]) {
  const seen = new Y.Doc();
  for (const update of updates) Y.applyUpdate(seen, update);
  return seen;
}

/** Whether an edit adds a block that others have added since its author has read the lesson. */
function addsAgain(doc: Y.Doc, seen: Y.Doc, wanted: LessonEdit) {
  const known = new Set(blockIds(seen));
  const added = blockIds(doc).filter((id) => !known.has(id));
  return added.some((id) => isAddedBy(wanted, id));
}

function blockIds(doc: Y.Doc) {
  return (readNodes(doc, bounds).content ?? []).map(({ attrs }) => String(attrs?.["id"]));
}

function editLesson(doc: Y.Doc, wanted: LessonEdit) {
  const state = Y.encodeStateVector(doc);
  const before = readNodes(doc, bounds);
  const { kept } = applyEdit(doc, before.content ?? [], wanted);
  return { update: Y.encodeStateAsUpdate(doc, state), before, after: readNodes(doc, bounds), kept };
}
