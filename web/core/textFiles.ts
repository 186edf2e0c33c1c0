/**
 * The texts that are loaded with the modules that name their keys (`scripts/_textImports.ts`), for the types of the
 * keys.
 */

export { default as account } from "#shared/locales/en/account.json" with { type: "json" };
export { default as admins } from "#shared/locales/en/admins.json" with { type: "json" };
export { default as analysis } from "#shared/locales/en/analysis.json" with { type: "json" };
export { default as apiKeys } from "#shared/locales/en/apiKeys.json" with { type: "json" };
export { default as audit } from "#shared/locales/en/audit.json" with { type: "json" };
export { default as chat } from "#shared/locales/en/chat.json" with { type: "json" };
export { default as chatbots } from "#shared/locales/en/chatbots.json" with { type: "json" };
export { default as companies } from "#shared/locales/en/companies.json" with { type: "json" };
export { default as connectors } from "#shared/locales/en/connectors.json" with { type: "json" };
export { default as courses } from "#shared/locales/en/courses.json" with { type: "json" };
export { default as documents } from "#shared/locales/en/documents.json" with { type: "json" };
export { default as events } from "#shared/locales/en/events.json" with { type: "json" };
export { default as flows } from "#shared/locales/en/flows.json" with { type: "json" };
export { default as learners } from "#shared/locales/en/learners.json" with { type: "json" };
export { default as mails } from "#shared/locales/en/mails.json" with { type: "json" };
export { default as notifications } from "#shared/locales/en/notifications.json" with { type: "json" };
export { default as packages } from "#shared/locales/en/packages.json" with { type: "json" };
export { default as player } from "#shared/locales/en/player.json" with { type: "json" };
export { default as privacy } from "#shared/locales/en/privacy.json" with { type: "json" };
export { default as prompts } from "#shared/locales/en/prompts.json" with { type: "json" };
export { default as rawData } from "#shared/locales/en/rawData.json" with { type: "json" };
export { default as replay } from "#shared/locales/en/replay.json" with { type: "json" };
export { default as reports } from "#shared/locales/en/reports.json" with { type: "json" };
export { default as search } from "#shared/locales/en/search.json" with { type: "json" };
export { default as settings } from "#shared/locales/en/settings.json" with { type: "json" };
export { default as variables } from "#shared/locales/en/variables.json" with { type: "json" };
export { default as views } from "#shared/locales/en/views.json" with { type: "json" };
export { default as web } from "#shared/locales/en/web.json" with { type: "json" };
