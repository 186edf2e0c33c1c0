/** Texts that a module loads by name (`scripts/_textImports.ts`). */
declare module "texts:*";
