import { createHash, type Hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";

// Runs in a worker thread: computes the sums of uploads from bytes in shared memory, in the order of the messages.

export type HashTask =
  | { task: "create"; sums: number }
  | { task: "copy"; sums: number; to: number }
  | { task: "drop"; sums: number }
  | { task: "update"; sums: number; slot: number; bytes: number; call: number }
  | { task: "digest"; sums: number; call: number };
/** The reply to a task with a `call`; `digests` only for the task `digest`. */
export type HashAnswer = { call: number; digests: Digests | null };
/** MD5 in Base64, SHA-256 in hexadecimal digits. */
export type Digests = { md5Hash: string; sha256: string };

type Hashes = { md5: Hash; sha256: Hash };
const hashes = new Map<number, Hashes>();
const memory = ((workerData as { memory?: SharedArrayBuffer[] } | null)?.memory ?? []).map((slot) => Buffer.from(slot));
const find = (sums: number) => {
  const pair = hashes.get(sums);
  if (!pair) throw new Error(`there are no sums ${sums}`);
  return pair;
};
const copyOf = ({ md5, sha256 }: Hashes): Hashes => ({ md5: md5.copy(), sha256: sha256.copy() });

function work(task: HashTask): Digests | null {
  if (task.task === "create") hashes.set(task.sums, { md5: createHash("md5"), sha256: createHash("sha256") });
  if (task.task === "copy") hashes.set(task.to, copyOf(find(task.sums)));
  if (task.task === "drop") hashes.delete(task.sums);
  if (task.task === "update") {
    const bytes = memory[task.slot]!.subarray(0, task.bytes);
    const { md5, sha256 } = find(task.sums);
    md5.update(bytes);
    sha256.update(bytes);
  }
  if (task.task !== "digest") return null;
  const { md5, sha256 } = copyOf(find(task.sums));
  return { md5Hash: md5.digest("base64"), sha256: sha256.digest("hex") };
}

parentPort?.on("message", (task: HashTask) => {
  const digests = work(task);
  if ("call" in task) parentPort?.postMessage({ call: task.call, digests } satisfies HashAnswer);
});
