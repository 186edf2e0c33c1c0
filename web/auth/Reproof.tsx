import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '#web/auth/Account.module.css'
import { Password } from '#web/auth/Password.tsx'
import type { useReproof } from '#web/auth/useReproof.ts'

const names = { app: 'account.reproof.useApp', recovery: 'account.reproof.useRecovery', passkey: 'account.reproof.usePasskey' } as const

/** The fields of `useReproof`: the password with the second factor below it, or the buttons of the other ways in. */
export function Reproof({ proof }: { proof: ReturnType<typeof useReproof> }) {
  const { t } = useTranslation()
  const { account, company, form, setForm, methods, method, choose, halfway, byPassword, proven, waiting, faults, byWindow, byPasskey } = proof
  if (!account) return null
  if (proven) return <Text className={classes.proof} role="status">{t('account.reproof.done')}</Text>
  const stepped = byPassword || halfway
  return (
    <div className={classes.proof}>
      {byPassword && (
        <Password
          label={t('account.reproof.password')} autoComplete="current-password" value={form.password} error={faults.password}
          onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
        />
      )}
      {!stepped && (
        <>
          <Text size="sm">{waiting ? t('account.reproof.waiting') : t('account.reproof.lead')}</Text>
          <Group gap="xs">
            {account.hasGoogle && !account.ssoEnforced && <Button variant="default" onClick={() => void byWindow('google')}>{t('account.reproof.google')}</Button>}
            {company && <Button variant="default" onClick={() => void byWindow(company.connectionId)}>{t('account.reproof.company', { company: company.company })}</Button>}
            {account.passkeys.length > 0 && !account.ssoEnforced && <Button variant="default" onClick={() => void byPasskey()}>{t('account.reproof.usePasskey')}</Button>}
          </Group>
        </>
      )}
      {stepped && (method === 'app' || method === 'recovery') && (
        <TextInput
          key={method} label={t(method === 'app' ? 'account.reproof.code' : 'account.reproof.recoveryCode')} value={form.code} error={faults.code} autoComplete="one-time-code" spellCheck={false}
          autoCapitalize="none" {...(method === 'app' && { inputMode: 'numeric' as const, maxLength: 7 })} onChange={(event) => setForm({ ...form, code: event.currentTarget.value })}
        />
      )}
      {stepped && method === 'passkey' && <Text size="sm" c="dimmed">{t('account.reproof.passkeyNext')}</Text>}
      {stepped && methods.length > 1 && (
        <Group gap="md">
          {methods.filter((one) => one !== method).map((one) => (
            <UnstyledButton
              key={one} className={classes.other}
              onClick={() => {
                choose(one)
                setForm({ ...form, code: '' })
              }}
            >
              {t(names[one])}
            </UnstyledButton>
          ))}
        </Group>
      )}
      {faults.failure && <Text size="sm" c="var(--ly-bad)" role="alert">{faults.failure}</Text>}
    </div>
  )
}
