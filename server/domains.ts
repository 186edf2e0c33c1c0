/**
 * The domains of the server, one line each. Everything else that lists domains, routes, jobs, tables or personal data
 * derives it from here (`server/allDomains.ts`).
 */

export { core } from "#server/core/domains/core.ts";
export { analysis } from "#server/analysis/domain.ts";
export { apiKeys } from "#server/apiKeys/domain.ts";
export { audit } from "#server/audit/domain.ts";
export { auth } from "#server/auth/domain.ts";
export { care } from "#server/care/domain.ts";
export { certificates } from "#server/certificates/domain.ts";
export { chatbots } from "#server/chatbots/domain.ts";
export { companies } from "#server/companies/domain.ts";
export { completionRules } from "#server/completionRules/domain.ts";
export { connectors } from "#server/connectors/domain.ts";
export { consent } from "#server/consent/domain.ts";
export { conversations } from "#server/conversations/domain.ts";
export { courses } from "#server/courses/domain.ts";
export { demo } from "#server/demo/domain.ts";
export { documents } from "#server/documents/domain.ts";
export { enrolmentRules } from "#server/enrolmentRules/domain.ts";
export { events } from "#server/events/domain.ts";
export { fields } from "#server/fields/domain.ts";
export { files } from "#server/files/domain.ts";
export { flows } from "#server/flows/domain.ts";
export { groups } from "#server/groups/domain.ts";
export { imports } from "#server/imports/domain.ts";
export { learners } from "#server/learners/domain.ts";
export { lessons } from "#server/lessons/domain.ts";
export { live } from "#server/live/domain.ts";
export { mails } from "#server/mails/domain.ts";
export { managers } from "#server/managers/domain.ts";
export { notifications } from "#server/notifications/domain.ts";
export { packages } from "#server/packages/domain.ts";
export { paths } from "#server/paths/domain.ts";
export { player } from "#server/player/domain.ts";
export { privacy } from "#server/privacy/domain.ts";
export { prompts } from "#server/prompts/domain.ts";
export { rawData } from "#server/rawData/domain.ts";
export { recordings } from "#server/recordings/domain.ts";
export { reports } from "#server/reports/domain.ts";
export { search } from "#server/search/domain.ts";
export { settings } from "#server/settings/domain.ts";
export { statements } from "#server/statements/domain.ts";
export { team } from "#server/team/domain.ts";
export { variables } from "#server/variables/domain.ts";
export { webhooks } from "#server/webhooks/domain.ts";
