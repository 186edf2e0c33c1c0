import { i18n } from '#web/core/i18n.ts'
import type { AuditAct, AuditDetails } from '#shared/audit.ts'

/** What was done, in words. */
export const actOf = (act: AuditAct) => i18n.t(`audit.acts.${act}`)

/** `name, color`, `3 new`, `due 2026-12-01`; what this version has no words for stays as it is. */
export const detailsOf = (details: AuditDetails) =>
  Object.entries(details).filter(([, value]) => value !== null && value !== false && value !== 0).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : String(value)
    const key = `audit.detail.${name}`
    return i18n.exists(key) ? i18n.t(key as 'audit.detail.from', { value: text }) : `${name}: ${text}`
  }).join(', ')
