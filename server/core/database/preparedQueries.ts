import type { Compilable, CompiledQuery } from "kysely";
import type { Db } from "#server/core/database/db.ts";

class Parameter {
  name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled once, for those that run with every request. `build` gets its parameters as
 * placeholders: they may be used as values of the query, and for nothing else. Returns a function that runs the query
 * and resolves with its rows.
 */
export function prepareQuery<P extends Record<string, unknown>, Row>(
  build: (db: Db, parameters: P) => Compilable<Row>,
) {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db: Db, values: P): Promise<Row[]> => {
    compiled ??= build(db, placeholders as P).compile();
    const parameters = compiled.parameters.map((value) => (value instanceof Parameter ? values[value.name] : value));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
const placeholders: unknown = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });
