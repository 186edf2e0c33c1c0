import { parentPort, workerData } from "node:worker_threads";
import * as Y from "yjs";
import { type Bounds, readNodes } from "#server/lessons/drafts/yNodes.ts";
import type { NodeJson } from "#shared/lessons/editing/nodeJson.ts";

// Applies the updates of each lesson to a Yjs document. Runs in a worker thread, because hostile updates can take any
// amount of time and memory.

export type ReadOrder = { bounds: Bounds; lessons: { id: string; updates: Uint8Array[] }[]; isMerging: boolean };
export type ReadReply = { id: string; nodes: NodeJson | null; merged: Uint8Array | null };

const { bounds, lessons, isMerging } = workerData as ReadOrder;
for (const { id, updates } of lessons) {
  const doc = new Y.Doc();
  const reply: ReadReply = { id, nodes: null, merged: null };
  try {
    for (const update of updates) Y.applyUpdate(doc, update);
    if (isMerging) reply.merged = Y.encodeStateAsUpdate(doc);
    else reply.nodes = readNodes(doc, bounds);
  } catch {
    // This lesson is reported as broken; the others are still read.
  }
  parentPort?.postMessage(reply);
}
