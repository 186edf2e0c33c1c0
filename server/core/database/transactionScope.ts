import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "#server/core/log.ts";

// A transaction that waits for work elsewhere holds its locks and its connection for as long as that takes; and if the
// work waits for one of these locks, or for a connection, neither ever ends. PostgreSQL cannot see such a deadlock.

type Scope = { isOpen: boolean };
const scopes = new AsyncLocalStorage<Scope>();
let isStrict = false;

/** Work elsewhere that was begun within a transaction. */
export class NestedWork extends Error {}

/** Runs the work of a transaction: until it ends, `checkOutsideTransaction` finds what it starts. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  const scope = { isOpen: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOpen = false;
  }
}

/** Runs work that the transaction around it does not wait for. */
export const outsideTransaction = <T>(work: () => T): T => scopes.exit(work);

/**
 * For whatever takes a connection or calls another server. Within a transaction it throws in tests, and is logged
 * elsewhere.
 */
export function checkOutsideTransaction(what: string, log?: Log) {
  if (!scopes.getStore()?.isOpen) return;
  const error = new NestedWork(`${what} within a transaction`);
  if (isStrict) throw error;
  log?.error({ err: error }, "a transaction waits for work elsewhere");
}

/** For tests: work elsewhere within a transaction fails. */
export const refuseNestedWork = () => {
  isStrict = true;
};
