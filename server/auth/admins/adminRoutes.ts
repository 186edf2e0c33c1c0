import { inviteAdmin, resendAdminInvitation, revokeAdminInvitation } from "#server/auth/admins/adminInvitations.ts";
import { removeAdmin } from "#server/auth/admins/adminRemoval.ts";
import { listAdmins } from "#server/auth/admins/adminRows.ts";
import type { Mount } from "#server/core/http/http.ts";
import { admins, canManageAdmins, canSeeAdmins } from "#shared/auth/admins.ts";

export function adminRoutes(on: Mount) {
  on(admins.list, canSeeAdmins, (call) => listAdmins(call, call.query));
  on(admins.invite, canManageAdmins, (call) => inviteAdmin(call, call.body));
  on(admins.resend, canManageAdmins, (call) => resendAdminInvitation(call, call.params.id));
  on(admins.revoke, canManageAdmins, (call) => revokeAdminInvitation(call, call.params.id));
  on(admins.remove, canManageAdmins, (call) => removeAdmin(call, call.params.id));
}
