/** A connection string, or the parts of the connection to the embedded server. */
export type Connection =
  { connectionString: string } | { host: string; port: number; user: string; password: string; database: string };
