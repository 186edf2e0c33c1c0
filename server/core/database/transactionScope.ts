import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "#server/core/log.ts";

// A transaction that waits for work elsewhere (on another connection or server) holds its locks and its connection
// meanwhile. If that work waits for one of these locks, or for a connection, neither ever ends: a deadlock that
// PostgreSQL cannot see.

type Scope = { isOpen: boolean };
const scopes = new AsyncLocalStorage<Scope>();
let isStrict = false;

/** Thrown in tests for work elsewhere that starts within a transaction. */
export class NestedWork extends Error {}

/** Runs the work of a transaction; until it ends, `checkOutsideTransaction` fails for everything that it starts. */
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
 * Called before taking a connection or calling another server. Within a transaction it throws `NestedWork` in tests,
 * and logs an error elsewhere.
 */
export function checkOutsideTransaction(what: string, log?: Log) {
  if (!scopes.getStore()?.isOpen) return;
  const error = new NestedWork(`${what} within a transaction`);
  if (isStrict) throw error;
  log?.error({ err: error }, "a transaction waits for work elsewhere");
}

/** For tests: lets `checkOutsideTransaction` throw. */
export const refuseNestedWork = () => {
  isStrict = true;
};
