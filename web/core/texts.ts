import { i18n } from '#web/core/i18n.ts'
import companies from '#shared/locales/en/companies.json' with { type: 'json' }
import courses from '#shared/locales/en/courses.json' with { type: 'json' }
import events from '#shared/locales/en/events.json' with { type: 'json' }
import learners from '#shared/locales/en/learners.json' with { type: 'json' }
import mails from '#shared/locales/en/mails.json' with { type: 'json' }
import packages from '#shared/locales/en/packages.json' with { type: 'json' }
import player from '#shared/locales/en/player.json' with { type: 'json' }
import reports from '#shared/locales/en/reports.json' with { type: 'json' }
import web from '#shared/locales/en/web.json' with { type: 'json' }

/** Texts of the pages behind the sign-in, one file a domain. A new domain adds its import and its name here. */
export const signedInTexts = { companies, courses, events, learners, mails, packages, player, reports, web }

i18n.addResourceBundle('en', 'translation', signedInTexts, true)
