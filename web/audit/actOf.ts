import { i18n } from '#web/core/i18n.ts'
import type { AuditAct, AuditDetails } from '#shared/audit.ts'

/** What was done, in words. */
export const actOf = (act: AuditAct) => i18n.t(`audit.acts.${act}`)

/** `fields: name, color` and the like. */
export const detailsOf = (details: AuditDetails) =>
  Object.entries(details).filter(([, value]) => value !== null && value !== false).map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`).join(' · ')
