import { config } from "zod";

/** The pages forbid `eval`: zod must not even try. Imported first, before any shape is made. */
config({ jitless: true });
