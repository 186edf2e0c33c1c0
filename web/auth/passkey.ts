import { exchange } from '#web/core/http.ts'
import { auth } from '#shared/auth.ts'

/** Asks the browser for a passkey of this site and signs in with it. The code that speaks WebAuthn is loaded with the first use. */
export async function signInWithPasskey() {
  const [options, { startAuthentication }] = await Promise.all([exchange(auth.passkeyOptions, {}), import('@simplewebauthn/browser')])
  const response = await startAuthentication({ optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
  return exchange(auth.passkey, { body: { response: { ...response } } })
}
