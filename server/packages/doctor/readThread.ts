import { parentPort, workerData } from "node:worker_threads";
import { type ReadOrder, readPackage } from "#server/packages/doctor/reading.ts";

// Reads one package. Runs in a worker thread, because hostile files can take any amount of time and memory.

const { folder, of } = workerData as ReadOrder;
parentPort?.postMessage(await readPackage(folder, of));
