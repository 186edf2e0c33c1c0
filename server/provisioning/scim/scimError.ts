import { Problem } from "#server/core/http/problem.ts";
import type { CallOutcome } from "#shared/provisioning/provisioning.ts";

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

/** RFC 7644, 3.12. */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidVers"
  | "sensitive";

/** An error in the format of SCIM. `detail` names attributes, but never values, because it is logged. */
export class ScimError extends Error {
  status: number;
  scimType: ScimType | null;
  retryAfter: number | null;
  /** What the list of calls shows in place of the detail. */
  outcome: CallOutcome | null = null;
  /** The methods that the address has, if the one of the request is none of them. */
  allow: string[] | null = null;

  constructor(status: number, detail: string, scimType: ScimType | null = null, retryAfter: number | null = null) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
    this.retryAfter = retryAfter;
  }
}

export const invalidValue = (detail: string) => new ScimError(400, detail, "invalidValue");
export const invalidSyntax = (detail: string) => new ScimError(400, detail, "invalidSyntax");
export const invalidPath = (detail: string) => new ScimError(400, detail, "invalidPath");
export const invalidFilter = (detail: string) => new ScimError(400, detail, "invalidFilter");
export const taken = (detail: string) => new ScimError(409, detail, "uniqueness");
export const unknownResource = () => new ScimError(404, "There is no such resource.");

export const wrongMethod = (allow: string[]) =>
  Object.assign(new ScimError(405, `This address supports only ${allow.join(", ")}.`), { allow });

/** An error of another part of the server as one of SCIM. 422 becomes 400 with the message of its first issue. */
export const fromProblem = ({ status, message, extra }: Problem) =>
  new ScimError(
    status === 422 ? 400 : status,
    status === 422
      ? (extra.issues?.[0]?.message ??
          "A value is too large for the database, or contains characters that it cannot store.")
      : message,
    status === 422 ? "invalidValue" : null,
    Number(extra.values?.seconds ?? 0) || null,
  );

export const errorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType && { scimType }),
  detail: message,
});

/** The name of an attribute that was sent: its first characters, and only those that such names can have. */
export const quote = (name: string) => `“${name.replace(/[^\w:.$-]/g, "").slice(0, 80)}”`;
