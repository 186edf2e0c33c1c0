import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginFailure } from '#web/auth/failures.ts'
import { signInWithPasskey } from '#web/auth/passkey.ts'
import { inWindow } from '#web/auth/popup.ts'
import type { Method } from '#web/auth/SecondStep.tsx'
import { ask } from '#web/core/api.ts'
import { ApiError, exchange, isCode } from '#web/core/http.ts'
import { issuesOf } from '#web/core/messages.ts'
import { useSession } from '#web/core/session.tsx'
import { holdToken } from '#web/core/token.ts'
import { accounts, type Account } from '#shared/account.ts'
import { auth } from '#shared/auth.ts'
import type { Reply } from '#shared/route.ts'

type Grant = Reply<typeof auth.token>
export type Faults = { password?: string; code?: string; failure?: string }

const methodsOf = ({ app, passkeys, recoveryCodes }: Account): Method[] => {
  const usable = [...(app ? ['app' as const] : []), ...(passkeys.length > 0 ? ['passkey' as const] : [])]
  return usable.length > 0 && recoveryCodes > 0 ? [...usable, 'recovery'] : usable
}

/**
 * Asks once more who sits here, by logging in again on the spot: password and second factor, or the way that people without a
 * password came in. What was typed stays until it was right. `onOther` hears that somebody else logged in instead.
 */
export function useReproof(onOther: (email: string) => void) {
  const { t } = useTranslation()
  const { user, enter } = useSession()
  const { data: account } = useQuery(ask(accounts.get))
  const outside = account && (account.sso !== null || account.ssoEnforced)
  const { data: company } = useQuery({ ...ask(auth.sso, { body: { email: user?.email ?? '' } }), enabled: Boolean(outside) })
  const [form, setForm] = useState({ password: '', code: '' })
  const [chosen, choose] = useState<Method | null>(null)
  /** The first proof was taken, the second is missing. */
  const [halfway, setHalfway] = useState(false)
  const [proven, setProven] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const methods = account ? methodsOf(account) : []
  const method = chosen ?? methods[0] ?? null
  const byPassword = account !== undefined && account.hasPassword && !account.ssoEnforced

  const take = (grant: Grant) => {
    setHalfway(false)
    if (grant.user.id === user?.id) {
      holdToken(grant)
      setProven(true)
      return true
    }
    onOther(grant.user.email)
    enter(grant)
    return false
  }
  const second = async () => {
    if (method === 'passkey') return take(await signInWithPasskey())
    return take(await exchange(auth.secondStep, { body: { method: method === 'recovery' ? 'recovery' : 'app', code: form.code } }))
  }
  const first = async () => {
    try {
      return take(await exchange(auth.signIn, { body: { email: user?.email ?? '', password: form.password } }))
    } catch (error) {
      if (!isCode(error, 'auth.stepNeeded')) throw error
      setHalfway(true)
      return second()
    }
  }
  const whatFailed = (error: unknown): Faults => {
    const { code } = issuesOf(error)
    if (code) return { code }
    if (isCode(error, 'auth.invalidCredentials')) return { password: t('account.reproof.wrongPassword') }
    if (isCode(error, 'auth.tooManyAttempts')) return halfway ? { code: loginFailure(error) } : { password: loginFailure(error) }
    return { failure: error instanceof ApiError ? loginFailure(error) : t('account.reproof.passkeyFailed') }
  }
  const run = async (work: () => Promise<boolean>) => {
    setFaults({})
    try {
      return await work()
    } catch (error) {
      // The ticket for the second step is over: the first one is asked for again, with what was typed.
      if (isCode(error, 'auth.stepOver')) setHalfway(false)
      if (isCode(error, 'auth.stepNeeded')) setHalfway(true)
      else setFaults(whatFailed(error))
      return false
    } finally {
      setWaiting(false)
    }
  }
  /** True when it is this person; otherwise the faults say why not. */
  const prove = async () => {
    if (proven) return true
    const needsCode = (byPassword || halfway) && (method === 'app' || method === 'recovery')
    const missing: Faults = {
      ...(byPassword && !form.password && { password: t('account.reproof.enterPassword') }),
      ...(needsCode && !form.code.trim() && { code: t('account.reproof.enterCode') }),
      ...(!byPassword && !halfway && { failure: t('account.reproof.needed') }),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return false
    return run(halfway ? second : first)
  }
  const byWindow = (provider: string) => {
    setWaiting(true)
    return run(async () => {
      await inWindow({ provider, ...(user && { email: user.email }) }, () => {})
      return take(await exchange(auth.token, {}))
    })
  }
  const byPasskey = () => run(async () => take(await signInWithPasskey()))
  return { ready: account !== undefined, account, company, form, setForm, methods, method, choose, halfway, byPassword, proven, waiting, faults, prove, byWindow, byPasskey, again: () => setProven(false) }
}
