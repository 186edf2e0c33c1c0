import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import auth from '#shared/locales/en/auth.json' with { type: 'json' }
import core from '#shared/locales/en/core.json' with { type: 'json' }
import player from '#shared/locales/en/player.json' with { type: 'json' }
import problems from '#shared/locales/en/problems.json' with { type: 'json' }
import web from '#shared/locales/en/web.json' with { type: 'json' }

/** One file a domain; the key begins with its name: `t('companies.title')`. A missing key does not compile. */
const english = { auth, core, player, web }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof english; problems: typeof problems }
  }
}

export const i18n = createInstance()
void i18n.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  resources: { en: { translation: english, problems } },
  interpolation: { escapeValue: false },
})
