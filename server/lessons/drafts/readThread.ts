import { parentPort, workerData } from "node:worker_threads";
import * as Y from "yjs";
import { applyEdit, type LessonEdit } from "#server/lessons/drafts/blockEdits.ts";
import { traceBlocks } from "#server/lessons/drafts/blockTraces.ts";
import { type Bounds, readNodes } from "#server/lessons/drafts/yNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Applies the updates of each lesson to a Yjs document. Runs in a worker thread, because hostile updates can take any
// amount of time and memory.

/** `edit`: a change of the lesson. `isTracing`: finds out which updates wrote in which blocks. */
export type ReadOrder = {
  bounds: Bounds;
  lessons: { id: string; updates: Uint8Array[]; edit?: LessonEdit }[];
  isMerging: boolean;
  isTracing: boolean;
};
export type ReadReply = {
  id: string;
  nodes: NodeJson | null;
  merged: Uint8Array | null;
  /** The number of the last update that wrote in a block, counted from 0, by the id of the block. */
  traces: Record<string, number>;
  edited: { update: Uint8Array; nodes: NodeJson; kept: number } | null;
};

const { bounds, lessons, isMerging, isTracing } = workerData as ReadOrder;
for (const { id, updates, edit } of lessons) {
  const doc = new Y.Doc();
  const reply: ReadReply = { id, nodes: null, merged: null, traces: {}, edited: null };
  try {
    if (isTracing) reply.traces = traceBlocks(doc, updates, bounds);
    else for (const update of updates) Y.applyUpdate(doc, update);
    if (isMerging) reply.merged = Y.encodeStateAsUpdate(doc);
    else reply.nodes = readNodes(doc, bounds);
    if (edit) reply.edited = editLesson(doc, edit);
  } catch {
    // This lesson is reported as broken; the others are still read.
    reply.edited = null;
  }
  parentPort?.postMessage(reply);
}

function editLesson(doc: Y.Doc, wanted: LessonEdit) {
  const before = Y.encodeStateVector(doc);
  const { kept } = applyEdit(doc, readNodes(doc, bounds).content ?? [], wanted);
  return { update: Y.encodeStateAsUpdate(doc, before), nodes: readNodes(doc, bounds), kept };
}
