/** The texts of public pages and of the layout. `i18n.ts` has those of the pages before login, `memberTextFiles.ts` those after it. */

export { default as events } from "#shared/locales/en/events.json" with { type: "json" };
export { default as privacy } from "#shared/locales/en/privacy.json" with { type: "json" };
export { default as web } from "#shared/locales/en/web.json" with { type: "json" };
