import { config } from "zod";

/** The content security policy forbids `eval`, so zod must not try it. Imported first, before any schema is created. */
config({ jitless: true });
