import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createObjectServer, sendTo, type Trouble } from '#test/objectServer.ts'
import { dropToken, holdToken } from '#web/core/token.ts'
import { createTask, type TaskFacts } from '#web/core/uploadTask.ts'
import { createWire, type Target } from '#web/core/uploadWire.ts'
import { RESUMABLE_ABOVE, type TaskState } from '#shared/files.ts'
import type { User } from '#shared/users.ts'

const KIB = 1024
const MIB = 1024 * KIB
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const target: Target = { path: 'course/1/a file.zip', contentType: 'application/zip', metadata: { purpose: 'course' } }
const grant = (token: string) => ({ user: { id: '1' } as unknown as User, token, expiresAt: new Date(Date.now() + 600_000).toISOString() })
const until = async (what: () => boolean) => {
  for (let tries = 0; tries < 2000 && !what(); tries++) await sleep(5)
  expect(what()).toBe(true)
}

let closers: (() => unknown)[] = []
beforeEach(() => holdToken(grant('good')))
afterEach(async () => {
  for (const close of closers) await close()
  closers = []
  dropToken()
  vi.unstubAllGlobals()
})

/** A server with its troubles, and a task that brings a file of random bytes to it. */
async function begin(bytes: number, trouble?: Parameters<typeof createObjectServer>[0], more: Partial<Parameters<typeof createTask>[0]> = {}) {
  const server = await createObjectServer(trouble)
  const data = randomBytes(bytes)
  const states: TaskState[] = []
  const seenFacts: TaskFacts[] = []
  const wire = createWire(sendTo(server.port))
  const task = createTask({
    file: new Blob([data]), target, wire, pauseMs: () => 5,
    onChange: (facts) => {
      seenFacts.push(facts)
      if (states.at(-1) !== facts.state) states.push(facts.state)
    },
    ...more,
  })
  closers.push(() => task.stop(), server.close)
  const ends = () => until(() => ['success', 'error', 'canceled'].includes(task.facts().state))
  const intact = () => hash(server.objects.get(target.path) ?? Buffer.alloc(0)) === hash(data)
  return { server, task, states, seenFacts, ends, intact, wire, data }
}
const commands = ({ seen }: { seen: { command: string }[] }) => seen.map(({ command }) => command)

test.each([0, 1, RESUMABLE_ABOVE])('%d bytes go in one request', async (bytes) => {
  const { server, task, ends, intact, states } = await begin(bytes)
  await ends()
  expect([commands(server), states, intact(), task.facts().sent]).toEqual([['multipart'], ['running', 'success'], true, bytes])
})

test('one byte more is resumable; the last chunk ends it', async () => {
  const { server, ends, intact } = await begin(RESUMABLE_ABOVE + 1)
  await ends()
  expect(server.seen.map(({ command, offset, bytes, contentType }) => [command, offset, command === 'start' ? 0 : bytes, contentType])).toEqual([
    ['start', 0, 0, 'application/json; charset=utf-8'], ['upload', 0, 256 * KIB, undefined], ['upload, finalize', 256 * KIB, 1, undefined],
  ])
  expect(intact()).toBe(true)
})

test('70 MiB: chunks grow to 32 MiB, progress never exceeds the size', async () => {
  const { server, ends, intact, seenFacts } = await begin(70 * MIB)
  await ends()
  expect(server.seen.slice(1).map(({ bytes }) => bytes / KIB)).toEqual([256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 70 * 1024 - 65_280])
  expect(intact()).toBe(true)
  expect(Math.max(...seenFacts.map(({ sent }) => sent))).toBe(70 * MIB)
})

test('a cut is followed by a query, and the upload goes on from what arrived, with small chunks again', async () => {
  let cut = false
  const { server, ends, intact } = await begin(4 * MIB, ({ bytes }): Trouble => {
    if (bytes !== 1024 * KIB || cut) return undefined
    cut = true
    return { cutAfter: 300_000 }
  })
  await ends()
  expect(server.seen.slice(4, 6)).toMatchObject([{ command: 'query' }, { command: 'upload', bytes: 256 * KIB, offset: 768 * KIB + 300_000 }])
  expect(intact()).toBe(true)
})

test.each([1, 2, 3])('random cuts, lost answers and busy servers lose nothing (run %d)', async () => {
  let left = 25
  const { ends, intact, task } = await begin(12 * MIB, ({ command, bytes }): Trouble => {
    if (left === 0 || Math.random() > 0.5) return undefined
    left--
    const kind = Math.random()
    if (kind < 0.4 && bytes > 0 && command !== 'start') return { cutAfter: Math.floor(Math.random() * bytes) }
    if (kind < 0.7) return { loseAnswer: true }
    return { answer: { status: [500, 502, 503, 408][Math.floor(Math.random() * 4)] ?? 500 } }
  })
  await ends()
  expect([task.facts().state, intact()]).toEqual(['success', true])
})

test('the answer to a finalize is lost: the object is fetched, not sent again', async () => {
  let lost = false
  const { server, ends, task, intact } = await begin(300 * KIB, ({ command }): Trouble => {
    if (command !== 'upload, finalize' || lost) return undefined
    lost = true
    return { loseAnswer: true }
  })
  await ends()
  expect(commands(server)).toEqual(['start', 'upload', 'upload, finalize', 'query', 'GET'])
  expect([task.facts().state, task.facts().object?.name, intact()]).toEqual(['success', target.path, true])
})

test('all bytes there, but not finalized: a finalize without bytes', async () => {
  let cut = false
  const { server, ends, intact } = await begin(300 * KIB, ({ command, bytes }): Trouble => {
    if (command !== 'upload, finalize' || cut) return undefined
    cut = true
    return { cutAfter: bytes }
  })
  await ends()
  expect([commands(server), intact()]).toEqual([['start', 'upload', 'upload, finalize', 'query', 'finalize'], true])
})

test('a forgotten upload begins again by itself, once', async () => {
  let times = 0
  const forget = (most: number) => ({ command, offset }: { command: string; offset: number }): Trouble =>
    command === 'upload' && offset > 0 && times++ < most ? { answer: { status: 404, body: { code: 'files.uploadGone', error: 'Gone.' } } } : undefined
  const once = await begin(MIB, forget(1))
  await once.ends()
  expect([commands(once.server).filter((one) => one === 'start').length, once.intact()]).toEqual([2, true])
  times = 0
  const always = await begin(MIB, forget(99))
  await always.ends()
  expect(always.task.facts()).toMatchObject({ state: 'error', error: { code: 'files.uploadGone' } })
})

test.each([[402, 'files.quota'], [403, 'core.forbidden'], [413, 'files.tooLarge'], [415, 'files.wrongType']])('%d ends it at once', async (status, code) => {
  const { server, ends, task } = await begin(MIB, () => ({ answer: { status, body: { code, error: 'No.' } } }))
  await ends()
  expect([task.facts().state, (task.facts().error as { code: string }).code, server.seen.length]).toEqual(['error', code, 1])
})

test('Retry-After is waited for, and shown', async () => {
  let asked = 0
  const { ends, seenFacts } = await begin(100, () => (asked++ === 0 ? { answer: { status: 429, headers: { 'retry-after': '1' }, body: { code: 'core.tooMany', error: 'Later.' } } } : undefined))
  const began = Date.now()
  await ends()
  expect(Date.now() - began).toBeGreaterThan(900)
  expect(seenFacts.find(({ waiting }) => waiting)?.waiting).toMatchObject({ why: 'busy' })
})

test('a silent server is asked for a while, then it is an error', async () => {
  const { ends, task, server } = await begin(MIB, () => ({ loseAnswer: true }))
  await ends()
  expect(task.facts()).toMatchObject({ state: 'error', error: { code: 'core.network' } })
  expect(server.seen.length).toBe(16)
})

test('without a network it waits without end, and goes on when the network is back', async () => {
  const target = new EventTarget()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  vi.stubGlobal('navigator', { onLine: false })
  let online = false
  const { ends, task, server, intact } = await begin(MIB, () => (online ? undefined : { loseAnswer: true }), { pauseMs: (failures) => (failures < 30 ? 1 : 60_000) })
  await until(() => server.seen.length >= 31 && task.facts().waiting !== null)
  expect(task.facts()).toMatchObject({ state: 'running', waiting: { why: 'offline' } })
  online = true
  vi.stubGlobal('navigator', { onLine: true })
  target.dispatchEvent(new Event('online'))
  await ends()
  expect(intact()).toBe(true)
})

test('a token that ended in mid upload is renewed once', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(grant('fresh')), { status: 200 }))
  let refused = 0
  const { ends, intact } = await begin(MIB, (_, { headers }): Trouble => {
    if (headers.authorization === 'Bearer fresh') return undefined
    return refused++ === 0 ? undefined : { answer: { status: 401, body: { code: 'core.signedOut', error: 'Sign in.' } } }
  })
  await ends()
  expect([intact(), refused]).toEqual([true, 2])
})

test('a page of a hotel network is no answer', async () => {
  let first = true
  const { ends, intact, server } = await begin(300 * KIB, () => {
    if (!first) return undefined
    first = false
    return { answer: { status: 200, body: { welcome: 'to the hotel' } } }
  })
  await ends()
  expect([intact(), commands(server).filter((one) => one === 'start').length]).toEqual([true, 2])
})

test('bytes of a cut request that arrive late: the server is asked again', async () => {
  let times = 0
  const { ends, intact } = await begin(8 * MIB, ({ command, offset }) => (command === 'upload' && offset > 0 && times++ < 2 ? { answer: { status: 409, body: { code: 'files.wrongOffset', error: 'Not there.' } } } : undefined))
  await ends()
  expect([intact(), times > 2]).toEqual([true, true])
})

test('a proxy that takes small bodies only is given small chunks', async () => {
  const { ends, intact, server } = await begin(6 * MIB, ({ bytes }) => (bytes > MIB ? { answer: { status: 413, body: '<html>' } } : undefined))
  await ends()
  expect(intact()).toBe(true)
  expect(server.seen.filter(({ bytes }) => bytes > MIB).length).toBe(1)
})

test('a file that can no longer be read is an error, not a network that is down', async () => {
  const file = new Blob([new Uint8Array(MIB)])
  file.slice = () => ({ size: 1, stream: () => { throw new Error('gone') }, arrayBuffer: () => Promise.reject(new Error('gone')) }) as never
  const { ends, task } = await begin(0, undefined, { file })
  await ends()
  expect(task.facts()).toMatchObject({ state: 'error', error: { code: 'files.unreadable' } })
})

// Pause, resume, cancel

const slow = ({ bytes }: { bytes: number }): Trouble => (bytes >= MIB ? { delayMs: 40 } : undefined)
const halfway = (task: { facts: () => TaskFacts }) => until(() => task.facts().sent > 2 * MIB)

test('pause and resume: nothing is sent in between, and it goes on where the server is', async () => {
  const { server, task, ends, intact, states } = await begin(20 * MIB, slow)
  await halfway(task)
  expect([task.resume(), task.pause(), task.pause()]).toEqual([false, true, false])
  await until(() => task.facts().state === 'paused')
  const before = server.seen.length
  await sleep(80)
  expect([server.seen.length, task.cancel(), task.pause()]).toEqual([before, false, false])
  expect(task.resume()).toBe(true)
  await ends()
  expect(states).toEqual(['running', 'pausing', 'paused', 'running', 'success'])
  expect(server.seen.slice(before, before + 2)).toMatchObject([{ command: 'query' }, { command: 'upload', bytes: 256 * KIB }])
  expect([intact(), commands(server).filter((one) => one === 'start').length]).toEqual([true, 1])
})

test('resume while it is still pausing', async () => {
  const { task, ends, intact, states } = await begin(20 * MIB, slow)
  await halfway(task)
  expect([task.pause(), task.resume()]).toEqual([true, true])
  await ends()
  expect([states, intact()]).toEqual([['running', 'pausing', 'running', 'success'], true])
})

test.each(['running', 'pausing'] as const)('cancel from %s ends the upload on the server', async (from) => {
  const { server, task, ends, states } = await begin(20 * MIB, slow)
  await halfway(task)
  if (from === 'pausing') task.pause()
  expect([task.cancel(), task.cancel(), task.resume(), task.pause()]).toEqual([true, false, false, false])
  await ends()
  expect(states.slice(-2)).toEqual(['canceling', 'canceled'])
  expect([task.facts().ended, [...server.sessions.values()].map(({ status }) => status), server.objects.size]).toEqual([true, ['cancelled'], 0])
})

test('discard also works from paused; a server that is away is told later', async () => {
  const { server, task, ends } = await begin(20 * MIB, slow)
  await halfway(task)
  task.pause()
  await until(() => task.facts().state === 'paused')
  await server.close()
  expect(task.discard()).toBe(true)
  await ends()
  expect(task.facts()).toMatchObject({ state: 'canceled', ended: false })
})

test('a cancel that comes too late takes the object away', async () => {
  const { server, task, ends } = await begin(300 * KIB, ({ command }) => (command === 'upload, finalize' ? { delayMs: 200 } : undefined))
  await until(() => server.objects.size === 1)
  task.cancel()
  await ends()
  expect([task.facts().state, server.objects.size, server.removed]).toEqual(['canceled', 0, [target.path]])
})

test('an upload of an earlier page goes on, or is sent again when the server forgot it', async () => {
  const first = await begin(8 * MIB, slow)
  await halfway(first.task)
  first.task.stop()
  const file = new Blob([first.data])
  const sent = first.server.sessions.get('1')?.received ?? 0
  const go = async (id: string) => {
    const task = createTask({ file, target, wire: first.wire, pauseMs: () => 5, paused: true, session: { url: `https://x.example/v0/b/lyceum/o?upload_id=${id}`, sent } })
    await sleep(30)
    expect(task.facts()).toMatchObject({ state: 'paused', sent })
    task.resume()
    await until(() => task.facts().state === 'success')
    expect(first.intact()).toBe(true)
  }
  const before = first.server.seen.length
  await go('1')
  expect(commands(first.server).slice(before)).not.toContain('start')
  await go('99')
  expect(commands(first.server).filter((one) => one === 'start').length).toBe(2)
})

test('an address on another path is not followed', async () => {
  const { task, ends, server } = await begin(MIB, undefined, { session: { url: 'https://x.example/api/learners', sent: 0 } })
  await ends()
  expect([task.facts().state, server.seen]).toEqual(['error', []])
})
