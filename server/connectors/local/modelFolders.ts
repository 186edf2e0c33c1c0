import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Config } from "#server/core/config.ts";
import { ModelFault } from "#server/connectors/local/modelFault.ts";
import { openTable } from "#server/connectors/local/embeddingTable.ts";
import type { LocalModel } from "#shared/connectors/localModels.ts";

// DATA_DIR/models/NAME/ holds the three files of a model, in the format of Model2Vec.

const MEGABYTE = 1024 ** 2;
const FILES = {
  config: { name: "config.json", maxBytes: MEGABYTE },
  tokenizer: { name: "tokenizer.json", maxBytes: 64 * MEGABYTE },
  table: { name: "model.safetensors", maxBytes: 2048 * MEGABYTE },
};
/** The real paths of the files of a model. */
export type ModelFiles = Record<keyof typeof FILES, string>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MAX_FOLDERS = 100;

/** The real path of the folder of all models; null if it does not exist. */
export const findRoot = ({ dataDir }: Pick<Config, "dataDir">) => realpath(join(dataDir, "models")).catch(() => null);

/** The files of a model. Throws a `ModelFault` if one is missing, too large, or outside the folder of all models. */
export async function findModel(root: string, name: string): Promise<ModelFiles> {
  if (!NAME.test(name)) throw new ModelFault("model_missing");
  const folder = await findInside(root, join(root, name));
  const found: Partial<ModelFiles> = {};
  for (const key of Object.keys(FILES) as (keyof typeof FILES)[]) {
    const path = await findInside(root, join(folder, FILES[key].name));
    const file = await stat(path);
    if (!file.isFile()) throw new ModelFault("model_missing");
    if (file.size > FILES[key].maxBytes) throw new ModelFault("model_too_large");
    found[key] = path;
  }
  return found as ModelFiles;
}

async function findInside(root: string, path: string) {
  const real = await realpath(path).catch(() => null);
  if (!real?.startsWith(root + sep)) throw new ModelFault("model_missing");
  return real;
}

/** The folders of models by name, with what is wrong with their files as far as a short look can tell. */
export async function listLocalModels(config: Pick<Config, "dataDir">): Promise<LocalModel[]> {
  const root = await findRoot(config);
  const names = root ? await readdir(root).catch(() => []) : [];
  const models: LocalModel[] = [];
  for (const name of names
    .filter((one) => NAME.test(one))
    .toSorted()
    .slice(0, MAX_FOLDERS))
    if (root && !(await lstat(join(root, name))).isFile()) models.push(await describe(root, name));
  return models;
}

async function describe(root: string, name: string): Promise<LocalModel> {
  try {
    const { table } = await findModel(root, name);
    const opened = await openTable(table);
    await opened.close();
    return { name, size: opened.size, code: null };
  } catch (error) {
    // Any other error is one of the file system: a file that may not be read, or was just removed.
    return { name, size: null, code: error instanceof ModelFault ? error.code : "model_missing" };
  }
}
