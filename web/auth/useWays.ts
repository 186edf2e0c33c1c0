import { useEffect, useState } from 'react'
import { exchange } from '#web/core/http.ts'
import { auth } from '#shared/auth.ts'

/** Written into the page by the server, so that nothing jumps; the development server has none and asks. */
const written = () => document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content

export function useGoogle() {
  const [google, setGoogle] = useState(() => written()?.split(' ').includes('google') ?? false)
  useEffect(() => {
    if (written() === undefined) exchange(auth.ways, {}).then((ways) => setGoogle(ways.google), () => {})
  }, [])
  return google
}
