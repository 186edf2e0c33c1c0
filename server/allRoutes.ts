/**
 * The routes of all domains, one line each. `server/app.ts` mounts them; the API document and the guard test list their
 * endpoints.
 */

export { accountRoutes } from "#server/auth/account/accountRoutes.ts";
export { analysisRoutes } from "#server/analysis/routes.ts";
export { apiKeyRoutes } from "#server/apiKeys/routes.ts";
export { auditRoutes } from "#server/audit/routes.ts";
export { authRoutes } from "#server/auth/routes.ts";
export { companyRoutes } from "#server/companies/routes.ts";
export { chatbotRoutes } from "#server/chatbots/routes.ts";
export { connectorRoutes } from "#server/connectors/routes.ts";
export { consentRoutes } from "#server/consent/routes.ts";
export { conversationRoutes } from "#server/conversations/routes.ts";
export { courseRoutes } from "#server/courses/routes.ts";
export { documentRoutes } from "#server/documents/routes.ts";
export { eventRoutes } from "#server/events/routes.ts";
export { flowRoutes } from "#server/flows/routes.ts";
export { learnerRoutes } from "#server/learners/routes.ts";
export { liveRoutes } from "#server/live/routes.ts";
export { mailRoutes } from "#server/mails/routes.ts";
export { notificationRoutes } from "#server/notifications/routes.ts";
export { playerRoutes } from "#server/player/routes.ts";
export { privacyRoutes } from "#server/privacy/routes.ts";
export { promptRoutes } from "#server/prompts/routes.ts";
export { rawDataRoutes } from "#server/rawData/routes.ts";
export { recordingRoutes } from "#server/recordings/routes.ts";
export { reportRoutes } from "#server/reports/routes.ts";
export { searchRoutes } from "#server/search/routes.ts";
export { settingsRoutes } from "#server/settings/routes.ts";
export { variableRoutes } from "#server/variables/routes.ts";
export { webhookRoutes } from "#server/webhooks/routes.ts";
export { ssoRoutes } from "#server/auth/sso/ssoRoutes.ts";
