import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { auth } from '#shared/auth.ts'
import { companies, type Company } from '#shared/companies.ts'
import { learners } from '#shared/learners.ts'
import { createClient } from '#test/client.ts'
import { startMailbox } from '#test/mailbox.ts'
import { OIDC_CLIENT, startOidc } from '#test/oidc.ts'
import { ADMIN, createProcess } from '#test/process.ts'
import { PASSWORD, signIn } from './server.ts'

// Signing in by other means, in a real browser against a real OpenID provider and a real mail server, both on loopback

type House = { url: string; issuer: string; isolate: (isolated: boolean) => void; company: Company; mailbox: Awaited<ReturnType<typeof startMailbox>>; admin: ReturnType<typeof createClient> }
const test = base.extend<object, { house: House }>({
  house: [
    async ({}, use) => {
      let url = ''
      const google = await startOidc(() => `${url}/api/auth/external/return`)
      const mailbox = await startMailbox()
      const server = await createProcess({ GOOGLE_ISSUER: google.issuer, GOOGLE_CLIENT_ID: OIDC_CLIENT.id, GOOGLE_CLIENT_SECRET: OIDC_CLIENT.secret, SMTP_URL: mailbox.url })
      url = server.url
      await server.start()
      const admin = createClient(url)
      admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token)
      const company = await admin.call(companies.create, { body: { name: 'Norrvik Energi', color: '#c80f2e' } })
      await use({ url, issuer: google.issuer, isolate: google.isolate, company, mailbox, admin })
      await server.remove()
      await Promise.all([google.close(), mailbox.close()])
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

const address = () => `p${Math.random().toString(36).slice(2, 10)}@norrvik.example`
const invite = async ({ admin, company }: House, email = address()) => {
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token)
  await admin.call(learners.invite, { body: { companyId: company.id, people: [{ email, name: 'Ivo Invited' }] } })
  return email
}
/** Clicks, and answers what the provider's window asks. */
async function throughWindow(page: Page, context: BrowserContext, button: string, answer: (popup: Page) => Promise<unknown>) {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: button }).click()])
  await answer(popup)
  if (!popup.isClosed()) await popup.waitForEvent('close', { timeout: 10_000 })
}
const as = (email: string, name = 'Gro Google') => async (popup: Page) => {
  await popup.getByLabel('Address').fill(email)
  await popup.getByLabel('Called').fill(name)
  await popup.getByRole('button', { name: 'Continue' }).click()
}
const alert = (page: Page) => page.getByRole('alert')
const LOGIN = 'Continue with Google'
const REGISTER = 'Register with Google'

test('Google: an invited person comes in, comes back later, and the result window shows no token', async ({ page, context, house }) => {
  const email = await invite(house)
  await page.goto(`${house.url}/login`)
  await throughWindow(page, context, LOGIN, as(email))
  await expect(page).toHaveURL(`${house.url}/my-courses`)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').email)).toBe(email)
  await page.getByRole('link', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL(`${house.url}/login`)
  await throughWindow(page, context, LOGIN, as(email))
  await expect(page).toHaveURL(`${house.url}/my-courses`)
})

test('Google: closed window, refused at Google, blocked window, unknown e-mail, no connection', async ({ page, context, house }) => {
  await page.goto(`${house.url}/login`)
  await throughWindow(page, context, LOGIN, (popup) => popup.getByRole('heading').waitFor().then(() => popup.close()))
  await expect(alert(page)).toHaveText('Login was cancelled. Please try again.')
  await page.reload()
  await throughWindow(page, context, LOGIN, (popup) => popup.getByRole('button', { name: 'Cancel' }).click())
  await expect(alert(page)).toHaveText('Login was cancelled. Please try again.')
  await throughWindow(page, context, LOGIN, as(address()))
  await expect(alert(page)).toHaveText('Access denied. Please contact your administrator or use an access code to register.')
  await page.evaluate(() => { window.open = () => null })
  await page.getByRole('button', { name: LOGIN }).click()
  await expect(alert(page)).toHaveText('Login popup was blocked by your browser. Please allow popups for this site.')
  await page.reload()
  await page.route('**/api/auth/external', (route) => route.abort())
  await page.getByRole('button', { name: LOGIN }).click()
  await expect(alert(page)).toHaveText('Network error. Please check your internet connection and try again.')
  await page.unroute('**/api/auth/external')
  await page.route('**/api/auth/external', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.getByRole('button', { name: LOGIN }).click()
  await expect(alert(page)).toHaveText('Google login failed. Please try again.')
})

test('registration with Google: without a code, with one; afterwards the login', async ({ page, context, house }) => {
  const email = address()
  await page.goto(`${house.url}/register`)
  await throughWindow(page, context, REGISTER, as(email))
  await expect(page.getByText('Access code is required for new users')).toBeVisible()
  await page.getByLabel('Access code').fill(house.company.accessCode)
  await throughWindow(page, context, REGISTER, as(email, 'Nora New'))
  await expect(page).toHaveURL(`${house.url}/login?registered=true`)
  await throughWindow(page, context, LOGIN, as(email))
  await expect(page).toHaveURL(`${house.url}/my-courses`)
})

test('an account with a password: Google is refused until it is linked in the account', async ({ page, context, house }) => {
  const email = address()
  await house.admin.call(auth.register, { body: { name: 'Lea Learner', email, password: PASSWORD, accessCode: house.company.accessCode } })
  await page.goto(`${house.url}/login`)
  await throughWindow(page, context, LOGIN, as(email))
  await expect(alert(page)).toHaveText('An account already exists with the same email address but different sign-in credentials. Try signing in with a different method.')
  await signIn(page, { email, password: PASSWORD })
  await expect(page).toHaveURL(/my-courses/)
  await page.goto(`${house.url}/account`)
  await throughWindow(page, context, 'Link Google', as(email))
  await expect(page.getByText('Linked', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Logout' }).first().click()
  await throughWindow(page, context, LOGIN, as(email))
  await expect(page).toHaveURL(/my-courses/)
})

test('a claim proves the mailbox: login says so, sends the mail again, the page behind the link confirms', async ({ page, house }) => {
  const email = await invite(house)
  await page.goto(`${house.url}/register`)
  await page.getByLabel('Name').fill('Ivo Himself')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${house.url}/login?registered=true`)
  await signIn(page, { email, password: PASSWORD })
  await expect(alert(page)).toHaveText(`Confirm your mailbox first: open the link in the mail that we sent to ${email}.`)
  await page.getByRole('button', { name: 'Send the mail again' }).click()
  await expect(page.getByText('Another mail is on its way.')).toBeVisible()
  await expect.poll(() => house.mailbox.count(email, 'activated')).toBe(2)
  const link = /https?:\S+confirm-email\S+/.exec((await house.mailbox.letter(email, 'activated')).text)?.[0] as string
  await page.goto(link)
  await page.reload()
  await page.getByRole('button', { name: 'Yes, it was me' }).click()
  await expect(page).toHaveURL(`${house.url}/login?confirmed=true`)
  await signIn(page, { email, password: PASSWORD })
  await expect(page).toHaveURL(`${house.url}/my-courses`)
})

test('a forgotten password, by keyboard alone, with the link from the mail', async ({ page, house }) => {
  const email = address()
  await house.admin.call(auth.register, { body: { name: 'Frode Forgetful', email, password: PASSWORD, accessCode: house.company.accessCode } })
  await page.goto(`${house.url}/login`)
  const isAt = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '')
  for (let n = 0; n < 12 && (await isAt()) !== '/forgot-password'; n++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${house.url}/forgot-password`)
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${house.url}/login?reset=sent`)
  const link = /https?:\S+reset-password\S+/.exec((await house.mailbox.letter(email, 'new password')).text)?.[0] as string
  await page.goto(link)
  await page.getByLabel('New password').focus()
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password is too weak')).toBeVisible()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('wrong mule charger')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${house.url}/login?reset=done`)
  await signIn(page, { email, password: 'wrong mule charger' })
  await expect(page).toHaveURL(`${house.url}/my-courses`)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Used already, or too old' })).toBeVisible()
})

test('login: wrong password, no connection, a server that fails, each with its sentence', async ({ page, house }) => {
  await page.goto(`${house.url}/login`)
  await signIn(page, { email: 'nobody@example.com', password: 'wrong' })
  await expect(alert(page)).toHaveText('Invalid email or password. Please check your credentials and try again.')
  await page.route('**/api/auth/sign-in', (route) => route.abort())
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(alert(page)).toHaveText('Network error. Please check your internet connection and try again.')
  await page.unroute('**/api/auth/sign-in')
  await page.route('**/api/auth/sign-in', (route) => route.fulfill({ status: 500, json: { error: 'Something', code: 'core.internal' } }))
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(alert(page)).toHaveText('Login failed. Please try again.')
  await page.goto(`${house.url}/register`)
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 502, body: 'a proxy' }))
  await page.getByLabel('Name').fill('Nora')
  await page.getByLabel('E-mail').fill(address())
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(alert(page)).toHaveText('Registration failed')
})

for (const [size, viewport] of Object.entries({ desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`screens of sign-in on a ${size}, ${colorScheme}`, async ({ browser, house }) => {
      const context = await browser.newContext({ viewport, colorScheme })
      const page = await context.newPage()
      const look = async (name: string) => {
        await page.waitForLoadState('networkidle')
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect([name, violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)]).toEqual([name, []])
        expect([name, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)]).toEqual([name, 0])
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size}-${colorScheme}.png`, fullPage: true })
      }
      for (const path of ['/login?registered=true', '/register', '/forgot-password', '/reset-password?token=none', '/confirm-email?token=none']) {
        await page.goto(house.url + path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await look(path.slice(1).split('?')[0] as string)
      }
      await page.goto(`${house.url}/login`)
      await signIn(page, ADMIN)
      await expect(page).toHaveURL(/dashboard/)
      await page.goto(`${house.url}/account`)
      await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
      await look('account')
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Your password', { exact: true }).fill(ADMIN.password)
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Code that the app shows')).toBeFocused()
      await look('account-app')
      await context.close()
    })
  }
}

test('an authenticator app, recovery codes and a passkey, from set-up to login', async ({ page, context, house }) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })
  const email = address()
  await house.admin.call(auth.register, { body: { name: 'Sara Safe', email, password: PASSWORD, accessCode: house.company.accessCode } })
  await page.goto(`${house.url}/login`)
  await signIn(page, { email, password: PASSWORD })
  await expect(page).toHaveURL(/my-courses/)
  await page.goto(`${house.url}/account`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').first().innerText()).replace(/\s/g, '')
  await page.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible()
  const recovery = await page.getByRole('dialog').getByRole('listitem').first().innerText()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/codes.png` })
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name of this passkey').fill('Work laptop')
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passkey added')).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/account-full.png`, fullPage: true })
  const leave = () => page.getByRole('link', { name: 'Logout' }).first().click()
  await leave()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL(/my-courses/)
  await leave()
  await signIn(page, { email, password: PASSWORD })
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is wrong or was used already.')).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/step.png` })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/my-courses/)
})

test('a company sets up its own login; its people are led there by their e-mail', async ({ page, context, browser, house }) => {
  const admin = await browser.newContext()
  const desk = await admin.newPage()
  await desk.goto(`${house.url}/login`)
  await signIn(desk, ADMIN)
  await expect(desk).toHaveURL(/dashboard/)
  await desk.goto(`${house.url}/companies/${house.company.id}?tab=signIn`)
  await desk.getByRole('button', { name: 'Set up single sign-on' }).click()
  await desk.getByLabel('Issuer').fill('https://nobody.invalid')
  await desk.getByLabel('Client id').fill(OIDC_CLIENT.id)
  await desk.getByLabel('Client secret').fill(OIDC_CLIENT.secret)
  await desk.getByLabel('E-mail domains').first().fill('single.example')
  await desk.keyboard.press('Enter')
  await desk.getByLabel('The only way in').check({ force: true })
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('No OpenID provider answers at this address.')).toBeVisible()
  await desk.getByLabel('Issuer').fill(house.issuer)
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('Single sign-on saved')).toBeVisible()
  if (process.env.SHOTS) await desk.screenshot({ path: `${process.env.SHOTS}/sso.png`, fullPage: true })
  const { violations } = await new AxeBuilder({ page: desk }).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([])
  await admin.close()

  await page.goto(`${house.url}/login`)
  await page.getByLabel('E-mail').fill('sanna@single.example')
  await expect(page.getByRole('button', { name: 'Continue with Norrvik Energi' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/login-sso.png` })
  await throughWindow(page, context, 'Continue with Norrvik Energi', as('sanna@single.example', 'Sanna Single'))
  await expect(page).toHaveURL(`${house.url}/my-courses`)
})

test('a provider that cuts its window off from ours: the login still ends well', async ({ page, context, house }) => {
  const email = await invite(house)
  house.isolate(true)
  await page.goto(`${house.url}/login`)
  const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: LOGIN }).click()])
  await popup.getByLabel('Address').waitFor()
  await expect(alert(page)).toHaveText('Login was cancelled. Please try again.')
  await as(email)(popup)
  await expect(page).toHaveURL(`${house.url}/my-courses`)
  house.isolate(false)
})

test('where admins need a second factor, they are led to it first and go on afterwards', async ({ page }) => {
  const server = await createProcess({ REQUIRE_ADMIN_2FA: 'on' })
  await server.start()
  await page.goto(`${server.url}/login`)
  await signIn(page, ADMIN)
  await expect(page).toHaveURL(`${server.url}/account`)
  await expect(page.getByText('Set up a second factor', { exact: true })).toBeVisible()
  await page.goto(`${server.url}/companies`)
  await expect(page).toHaveURL(`${server.url}/account`)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/needed.png`, fullPage: true })
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(ADMIN.password)
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').first().innerText()).replace(/\s/g, '')
  await page.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByRole('heading', { name: 'Ways to log in' })).toBeVisible()
  await page.goto(`${server.url}/companies`)
  await expect(page.getByRole('heading', { name: 'Companies' })).toBeVisible()
  await server.remove()
})
