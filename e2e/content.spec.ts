import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, Page } from '@playwright/test'
import { plainPackage } from './packages.ts'
import { addCourse, addLearner, content, expect, openAs, saved, test } from './server.ts'

// Other people's course material, when it is there: it launches, reports and resumes, or is blocked where it must be

const shared = join(import.meta.dirname, '../../shared/packages')
const list = (folder: string) => (existsSync(join(shared, folder)) ? readdirSync(join(shared, folder)).filter((name) => name.endsWith('.zip')).map((name) => join(shared, folder, name)) : [])
const find = (folder: string, part: string) => list(folder).find((path) => path.includes(part)) ?? ''

const frames = (page: Page) => page.frames().filter((frame) => frame.url().includes('/files/'))
const inner = (page: Page) => frames(page).at(-1) as Frame
const acceptAll = (page: Page) => page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))

for (const path of [...list('scorm12'), ...list('scorm2004'), ...list('adl')]) {
  test(`opens ${path.split('/').slice(-2).join('/')} and saves`, async ({ browser, house }) => {
    const course = await addCourse(house, path)
    const { page, context } = await openAs(browser, await addLearner(house), course.launch)
    acceptAll(page)
    await expect.poll(() => frames(page).length, { timeout: 20_000 }).toBeGreaterThan(0)
    await saved(page)
    await expect(content(page).locator('body')).not.toBeEmpty()
    await page.getByRole('button', { name: 'Exit', exact: true }).first().click()
    await expect(page).toHaveURL(/my-courses/)
    await context.close()
  })
}

for (const [folder, part] of [['scorm12', 'RuntimeBasicCalls'], ['scorm2004', 'RunTimeAdvancedCalls']] as const) {
  test(`${part} resumes on the page where the learner left`, async ({ browser, house }) => {
    test.skip(find(folder, part) === '')
    const course = await addCourse(house, find(folder, part))
    const who = await addLearner(house)
    const { page, context } = await openAs(browser, who, course.launch)
    acceptAll(page)
    const next = () => content(page).getByRole('button', { name: /Next/ }).click()
    await saved(page)
    for (let i = 0; i < 3; i++) {
      await next()
      await page.waitForTimeout(400)
    }
    const left = inner(page).url().split('/files/')[1]?.split('/').slice(1).join('/')
    await saved(page)
    await page.close({ runBeforeUnload: false })
    const again = await context.newPage()
    acceptAll(again)
    await again.goto(course.launch)
    await expect.poll(() => inner(again)?.url().split('/files/')[1]?.split('/').slice(1).join('/'), { timeout: 20_000 }).toBe(left)
    await context.close()
  })
}

test('a hostile package runs, and reaches nothing of the application', async ({ browser, house }) => {
  test.skip(find('hostile', 'evil-readlms') === '')
  const course = await addCourse(house, find('hostile', 'evil-readlms'))
  const { page, context } = await openAs(browser, await addLearner(house), course.launch)
  await expect.poll(() => frames(page).length).toBeGreaterThan(0)
  const frame = inner(page)
  const reached = await frame.evaluate(async (app) => {
    const tryTo = async (what: () => unknown) => {
      try {
        const found = await what()
        return found === undefined || found === null ? 'nothing' : `reached ${String(found).slice(0, 40)}`
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      parentDocument: await tryTo(() => window.top?.document.title),
      parentStorage: await tryTo(() => window.top?.localStorage.getItem('user')),
      ownUser: await tryTo(() => localStorage.getItem('user')),
      cookies: await tryTo(() => (document.cookie === '' ? null : document.cookie)),
      api: await tryTo(async () => (await fetch(`${app}/api/me`, { credentials: 'include' })).status),
      token: await tryTo(async () => (await fetch(`${app}/api/auth/token`, { method: 'POST', credentials: 'include' })).status),
      navigate: await tryTo(() => {
        (window.top as Window).location.href = 'https://evil.example/'
        return null
      }),
      bases: await tryTo(async () => ((await indexedDB.databases()).some(({ name }) => name === 'lyceum-journal') ? 'journal' : null)),
    }
  }, house.url)
  expect(reached).toEqual({ parentDocument: 'SecurityError', parentStorage: 'SecurityError', ownUser: 'nothing', cookies: 'nothing', api: 'TypeError', token: 'TypeError', navigate: 'SecurityError', bases: 'nothing' })
  await expect(page).toHaveURL(course.launch)
  await context.close()
})

test('a package cannot install a service worker', async ({ browser, house }) => {
  test.skip(find('hostile', 'evil-serviceworker') === '')
  const course = await addCourse(house, find('hostile', 'evil-serviceworker'))
  const { page, context } = await openAs(browser, await addLearner(house), course.launch)
  await expect.poll(() => frames(page).length).toBeGreaterThan(0)
  await page.waitForTimeout(1500)
  expect(await inner(page).evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  await context.close()
})

test('a title that looks like markup is shown as text, a UTF-16 manifest in its own letters', async ({ browser, house }) => {
  test.skip(find('hostile', 'xss-title') === '')
  for (const [part, title] of [['xss-title', '<img src=x onerror=alert(1)>'], ['manifest-utf16', 'Ünïcødé']] as const) {
    const course = await addCourse(house, find('hostile', part))
    const { page, context } = await openAs(browser, await addLearner(house), course.launch)
    page.on('dialog', () => { throw new Error('the title ran as code') })
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await context.close()
  }
})

test('one learner\'s package storage is gone when another learner opens a course on the same computer', async ({ browser, house }) => {
  const course = await addCourse(house, plainPackage())
  const first = await addLearner(house, 'Ada One')
  const { page, context } = await openAs(browser, first, course.launch)
  await expect.poll(() => frames(page).length).toBeGreaterThan(0)
  await inner(page).evaluate(() => localStorage.setItem('answers', 'of the first learner'))
  await page.getByRole('button', { name: 'Mark as complete' }).click()
  await expect(page.getByRole('button', { name: 'Complete', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Exit' }).click()
  await page.getByRole('button', { name: 'Logout' }).first().click()
  const second = await addLearner(house, 'Bea Two')
  await page.goto(course.launch)
  await page.getByLabel('E-mail').fill(second.email)
  await page.getByLabel('Password', { exact: true }).fill(second.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect.poll(() => frames(page).length).toBeGreaterThan(0)
  expect(await inner(page).evaluate(() => localStorage.getItem('answers'))).toBeNull()
  await context.close()
})
