import { createTemplate } from "#test/process.ts";

export default createTemplate;
