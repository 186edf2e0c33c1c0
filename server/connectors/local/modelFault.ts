import type { LocalModelFault } from "#shared/connectors/localModels.ts";

/** What is wrong with the files of a model. */
export class ModelFault extends Error {
  code: LocalModelFault;
  constructor(code: LocalModelFault) {
    super(code);
    this.code = code;
  }
}
