import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { keepBrand } from '#web/core/brand.ts'
import { exchange } from '#web/core/http.ts'
import { dropToken, holdToken, refreshToken, watchToken } from '#web/core/token.ts'
import { auth } from '#shared/auth.ts'
import type { Sent } from '#shared/route.ts'
import { user as userSchema, type User } from '#shared/users.ts'

const KEY = 'user'

type State = {
  user: User | null
  /** False until /api/auth/token has answered: before that the stored user is only a hint. */
  settled: boolean
  /** True after a sign-out, here or in another tab: guards then go to /login without a way back. */
  left: boolean
}
type Session = State & {
  signIn: (input: Sent<typeof auth.signIn>['body']) => Promise<User>
  signOut: () => Promise<void>
}

/** Called when the person changes, so that nothing of the last one stays in memory; `left` after a sign-out in this tab. */
type Forget = (left: boolean) => void
const forgetters = new Set<Forget>()
export const whenPersonChanges = (forget: Forget) => forgetters.add(forget)
const forget = (left = false) => forgetters.forEach((one) => one(left))

const SessionContext = createContext<Session | null>(null)

export function useSession() {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider')
  return session
}

/** The person at the keyboard, null when signed out. Policies take it as it is: `isAdmin(useUser())`. */
export const useUser = () => useSession().user

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<State>(() => ({ user: readUser(), settled: false, left: false }))

  useEffect(() => {
    watchToken((user) => {
      store(user)
      if (!user) forget()
      setState((now) => ({ user, settled: true, left: user === null && now.left }))
    })
    refreshToken().catch(() => setState((now) => ({ ...now, settled: true })))
    return followOtherTabs((user) => {
      dropToken()
      forget()
      setState({ user, settled: true, left: user === null })
    })
  }, [])

  const signIn = useCallback<Session['signIn']>(async (body) => {
    const grant = await exchange(auth.signIn, { body })
    forget()
    holdToken(grant)
    store(grant.user)
    setState({ user: grant.user, settled: true, left: false })
    return grant.user
  }, [])

  const signOut = useCallback(async () => {
    await exchange(auth.signOut, {}).catch(() => {})
    dropToken()
    store(null)
    localStorage.removeItem('redirectTo')
    setState({ user: null, settled: true, left: true })
    keepBrand(null)
    forget(true)
  }, [])

  const session = useMemo(() => ({ ...state, signIn, signOut }), [state, signIn, signOut])
  return <SessionContext value={session}>{children}</SessionContext>
}

function readUser(): User | null {
  try {
    return userSchema.nullable().catch(null).parse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    return null
  }
}

function store(user: User | null) {
  const text = user && JSON.stringify(user)
  if (text === null) localStorage.removeItem(KEY)
  else if (localStorage.getItem(KEY) !== text) localStorage.setItem(KEY, text)
}

/** Calls back when another tab signed out, or signed in as somebody else. */
function followOtherTabs(onUser: (user: User | null) => void) {
  const follow = ({ key, oldValue }: StorageEvent) => {
    if (key !== KEY && key !== null) return
    const user = readUser()
    const before = oldValue ? (JSON.parse(oldValue) as User).id : null
    if (key === null || (user?.id ?? null) !== before) onUser(user)
  }
  addEventListener('storage', follow)
  return () => removeEventListener('storage', follow)
}
