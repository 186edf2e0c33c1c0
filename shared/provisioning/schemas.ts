// The URNs of SCIM 2.0 (RFC 7643, 7644) and of the fields of a company

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
/** The fields of a company, by their keys. */
export const FIELDS = "urn:ietf:params:scim:schemas:extension:lyceum:2.0:User";
export const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
