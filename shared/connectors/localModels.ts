import { z } from "zod";

/**
 * What is wrong with the files of a model on this server: a folder or file that is not there; a file above its largest
 * size; a config.json, tokenizer.json or model.safetensors that cannot be read; a tokenizer with other tokens than the
 * table.
 */
export const localModelFault = z.enum([
  "model_missing",
  "model_too_large",
  "bad_model_config",
  "bad_tokenizer",
  "bad_table",
  "model_mismatch",
]);
export type LocalModelFault = z.infer<typeof localModelFault>;

/** A folder of DATA_DIR/models. `size`: numbers per vector; null if `code` says what is wrong. */
export const localModel = z.object({
  name: z.string(),
  size: z.int().nullable(),
  code: localModelFault.nullable(),
});
export type LocalModel = z.infer<typeof localModel>;
