import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AuthFrame } from '#web/auth/AuthFrame.tsx'
import classes from '#web/auth/AuthFrame.module.css'
import { focusFirst } from '#web/auth/focusFirst.ts'
import { Notice } from '#web/auth/Notice.tsx'
import { Password } from '#web/auth/Password.tsx'
import { messageOf } from '#web/core/messages.ts'
import { useSession } from '#web/core/session.tsx'

/** /login and /forgot-password. Where people go afterwards is the guard's business (`guests` in routes.tsx). */
export function LoginPage() {
  const { t } = useTranslation()
  const { signIn } = useSession()
  const [search] = useSearchParams()
  const [form, setForm] = useState({ email: '', password: '' })
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const registered = search.get('registered') === 'true'

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const empty = {
      ...(!form.email.trim() && { email: t('auth.login.enterEmail') }),
      ...(!form.password && { password: t('auth.login.enterPassword') }),
    }
    setMissing(empty)
    setFailure(null)
    if (Object.keys(empty).length > 0) return focusFirst(event.currentTarget, Object.keys(empty))
    setBusy(true)
    try {
      await signIn({ email: form.email.trim(), password: form.password })
    } catch (error) {
      setFailure(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <AuthFrame title={t('auth.login.title')} lead={t('auth.login.lead')}>
      <Notice bad={failure} good={registered && !failure ? t('auth.login.registered') : null} />
      <form className={classes.fields} onSubmit={submit} noValidate>
        <TextInput
          size="md" label={t('auth.login.email')} type="email" name="email" autoComplete="username" value={form.email} error={missing.email}
          onChange={(change) => setForm({ ...form, email: change.currentTarget.value })}
        />
        <Password
          size="md" label={t('auth.login.password')} autoComplete="current-password" value={form.password} error={missing.password}
          onChange={(change) => setForm({ ...form, password: change.currentTarget.value })}
        />
        <Button type="submit" size="md" fullWidth loading={busy}>{t('auth.login.submit')}</Button>
      </form>
      <p className={classes.below}>
        {t('auth.login.haveCode')} <Link to="/register">{t('auth.login.createAccount')}</Link>
      </p>
    </AuthFrame>
  )
}
