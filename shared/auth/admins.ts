import { z } from "zod";
import { defineContracts, del, get, listQuery, page, post } from "#shared/core/route.ts";
import { email, isAcademyAdmin, personName, withReauth } from "#shared/core/users.ts";

// Admins of the academy: who they are, invitations, and their removal

/** How long an invitation link for an admin works. */
export const ADMIN_INVITATION_DAYS = 7;

/** `removed`: was an admin, and can be invited again. */
export const adminStatus = z.enum(["active", "invited", "removed"]);
export const admin = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  status: adminStatus,
  lastActive: z.string().nullable(),
  /** A second factor is set up. */
  hasFactor: z.boolean(),
  /** For invited people: when the link stops working. */
  invitationExpiresAt: z.string().nullable(),
  /** Number of API keys that act for this admin. */
  apiKeys: z.int(),
  /** The only admin who can log in. */
  isLast: z.boolean(),
});
export type Admin = z.infer<typeof admin>;

/** `link`: only if no mail server sends it. It is not shown again. */
export const sentInvitation = z.object({ id: z.uuid(), email: z.string(), link: z.string().nullable() });
export type SentInvitation = z.infer<typeof sentInvitation>;

export const canSeeAdmins = isAcademyAdmin;
/** Requires recent authentication: an admin can do everything. */
export const canManageAdmins = withReauth(canSeeAdmins);

export const admins = defineContracts("admins", {
  list: get("/api/admins", {
    does: "List the admins of the academy, invited people and removed admins",
    query: listQuery.omit({ sort: true }).extend({ status: adminStatus.optional() }),
    reply: page(admin),
  }),
  invite: post("/api/admins", {
    does: "Invite a new or a removed admin. Requires recent authentication",
    body: z.object({ email, name: z.union([z.literal(""), personName]).default("") }),
    reply: sentInvitation,
  }),
  resend: post("/api/admins/:id/invitation", {
    does: "Send a new invitation link, which replaces the old one. Requires recent authentication",
    reply: sentInvitation,
  }),
  revoke: del("/api/admins/:id/invitation", {
    does: "Revoke an invitation; its link stops working. Requires recent authentication",
  }),
  remove: del("/api/admins/:id", {
    does:
      "Remove an admin: their sessions end, their API keys are revoked. 409 for the last admin. " +
      "Requires recent authentication",
  }),
});
