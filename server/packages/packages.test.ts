import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { packageLimits } from '#shared/packages.ts'
import { inspectPackage } from './inspect.ts'
import { checkPackage, unpackPackage } from './unpack.ts'

type Entry = { name: string | Buffer; data?: string | Buffer } & Partial<{
  stored: boolean; method: number; flags: number; host: number; mode: number; size: number; crc: number; compressed: number
  offset: number
}>

/** A ZIP archive byte by byte; every field can be made to lie. `tail` changes the end record. */
function zip(entries: Entry[], tail: (end: Buffer) => void = () => {}): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const body = entry.stored ? data : deflateRawSync(data)
    const name = Buffer.from(entry.name as string)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(entry.flags ?? 0x800, 2)
    common.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4)
    common.writeUInt32LE(entry.crc ?? crc32(data), 10)
    common.writeUInt32LE(entry.compressed ?? body.length, 14)
    common.writeUInt32LE(entry.size ?? data.length, 18)
    common.writeUInt16LE(name.length, 22)
    const central = Buffer.alloc(14)
    central.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6)
    central.writeUInt32LE(entry.offset ?? at, 10)
    parts.push(Buffer.from('PK\x03\x04'), common, name, body)
    list.push(Buffer.from('PK\x01\x02'), Buffer.from([20, entry.host ?? 3]), common, central, name)
    at += 30 + name.length + body.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length % 65536, 8)
  end.writeUInt16LE(entries.length % 65536, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  tail(end)
  return Buffer.concat([...parts, directory, end])
}

const folder = await mkdtemp(join(tmpdir(), 'packages-'))
afterAll(() => rm(folder, { recursive: true }))
const save = async (bytes: Buffer, name = 'course.zip') => {
  await writeFile(join(folder, name), bytes)
  return join(folder, name)
}
const check = async (entries: Entry[], tail?: (end: Buffer) => void) => checkPackage(await save(zip(entries, tail)))
const codeOf = async (entries: Entry[], tail?: (end: Buffer) => void) => (await check(entries, tail)).error?.code
const warningsOf = async (entries: Entry[]) => (await check(entries)).warnings.map((warning) => warning.code)

const manifest = (href = 'index.html', title = 'Golf') => `<?xml version="1.0"?>
<manifest identifier="M" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="O"><organization identifier="O"><title>${title}</title>
<item identifier="I" identifierref="R"><title>Part</title></item></organization></organizations>
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="${href}"/></resources></manifest>`
const page = { name: 'index.html', data: '<title>Page</title><script>API.LMSInitialize("")</script>' }
const course: Entry[] = [{ name: 'imsmanifest.xml', data: manifest() }, page]
const web = { name: 'index.html', data: '<title>Tea &amp; <b>cake</title>' }

test('a SCORM package and a plain page are accepted', async () => {
  expect(await check(course)).toEqual({ ok: true, kind: 'scorm12', title: 'Golf', launch: ['index.html'], warnings: [], error: null })
  const plain = { ok: true, kind: 'html', title: 'Tea & <b>cake', launch: ['index.html'], warnings: [], error: null }
  expect(await check([web, { name: 'a/b.css', data: 'x' }])).toEqual({ ...plain, title: 'course' })
  expect(await check([{ ...web, data: '<title>Tea &amp; cake</title>' }])).toEqual({ ...plain, title: 'Tea & cake' })
})

describe('what is not a good archive', () => {
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'emptyFile'],
    ['text', Buffer.from('hello, I am no archive at all'), 'notAZip'],
    ['RAR', Buffer.from('Rar!\x1a\x07\x01\x00 and so on'), 'otherFormat'],
    ['no entries', zip([]), 'emptyArchive'],
    ['only junk', zip([{ name: '__MACOSX/._a' }, { name: 'x/.DS_Store' }]), 'emptyArchive'],
    ['cut off', zip(course).subarray(0, 400), 'cutOff'],
    ['bytes behind', Buffer.concat([zip(course), Buffer.from('x')]), 'extraBytes'],
    ['split', zip(course, (end) => end.writeUInt16LE(1, 4)), 'splitArchive'],
    ['list elsewhere', zip(course, (end) => end.writeUInt32LE(7, 16)), 'damagedList'],
    ['more files than declared', zip(course, (end) => end.writeUInt16LE(1, 10)), 'hiddenFiles'],
  ])('%s', async (_, bytes, code) => {
    expect((await checkPackage(await save(bytes))).error?.code).toBe(`packages.${code}`)
  })

  test.each<[string, Entry, string]>([
    ['traversal', { name: '../../evil.txt' }, 'pathTraversal'],
    ['traversal within', { name: 'a/../../evil.txt' }, 'pathTraversal'],
    ['traversal with backslashes', { name: '..\\..\\evil.txt' }, 'pathTraversal'],
    ['traversal among the junk', { name: '__MACOSX/../../._evil' }, 'pathTraversal'],
    ['absolute', { name: '/etc/passwd' }, 'absolutePath'],
    ['absolute with backslash', { name: '\\etc\\passwd' }, 'absolutePath'],
    ['drive letter', { name: 'C:\\evil.txt' }, 'absolutePath'],
    ['NUL', { name: 'a.txt\0.html' }, 'badName'],
    ['control character', { name: 'a\x1b[2J.txt' }, 'badName'],
    ['long path', { name: `${'a/'.repeat(20)}${'x'.repeat(220)}` }, 'longPath'],
    ['deep path', { name: `${'a/'.repeat(50)}x` }, 'deepPath'],
    ['symbolic link', { name: 'link', data: '/etc/passwd', mode: 0o120777 }, 'symlink'],
    ['symbolic link, said to be from DOS', { name: 'link', data: '/etc', mode: 0o120777, host: 0 }, 'symlink'],
    ['device', { name: 'dev', mode: 0o020666 }, 'specialFile'],
    ['password', { name: 'a.txt', data: 'x', flags: 0x801 }, 'encrypted'],
    ['strong encryption', { name: 'a.txt', data: 'x', flags: 0x841 }, 'encrypted'],
    ['Deflate64', { name: 'a.txt', data: 'x', method: 9 }, 'compression'],
    ['twice', { name: 'index.html', data: 'other' }, 'duplicate'],
    ['twice by backslash', { name: '.\\index.html', data: 'other' }, 'duplicate'],
    ['file as folder', { name: 'index.html/x.js' }, 'fileAndFolder'],
    ['larger than stated', { name: 'a.txt', data: 'x'.repeat(500), size: 100 }, 'lyingSize'],
    ['larger than stated, streamed', { name: 'a.txt', data: Buffer.alloc(3e6, 'ab'), size: 3e5 }, 'lyingSize'],
    ['smaller than stated', { name: 'a.txt', data: 'x', size: 100 }, 'lyingSize'],
    ['stored, larger than stated', { name: 'a.txt', data: 'xxxx', stored: true, size: 2 }, 'lyingSize'],
    ['wrong checksum', { name: 'a.txt', data: 'x', crc: 1 }, 'wrongChecksum'],
    ['damaged data', { name: 'a.txt', data: 'not deflated', stored: true, method: 8 }, 'damagedFile'],
    ['data outside of the archive', { name: 'a.txt', data: 'x', compressed: 1e6 }, 'damagedFile'],
    ['shared data', { name: 'a.txt', data: page.data, offset: 0 }, 'overlap'],
    ['bomb', { name: 'bomb', data: Buffer.alloc(11 * 1024 ** 2) }, 'bombFile'],
  ])('%s', async (_, entry, code) => {
    const answer = await check([...course, entry])
    expect(answer.error?.code).toBe(`packages.${code}`)
    expect(answer.error?.sentence).not.toMatch(/\{\{|undefined|[\x00-\x1f]/)
  })

  test('composed and decomposed letters make one name', async () => {
    expect(await codeOf([...course, { name: 'u\u0308.js' }, { name: '\u00fc.js' }])).toBe('packages.duplicate')
  })
  test('names that differ in case are a warning', async () => {
    expect(await warningsOf([...course, { name: 'Index.html' }])).toEqual(['packages.similarNames'])
  })
  test('totals: bombs of many small files, and more than the limit', async () => {
    const small = deflateRawSync(Buffer.alloc(9e6))
    const many = Array.from({ length: 40 }, (_, i) => ({ name: `${i}`, data: small, stored: true, method: 8, size: 9e6 }))
    expect(await codeOf([...course, ...many])).toBe('packages.bombArchive')
    const huge = (i: number) => ({ name: `${i}`, data: Buffer.alloc(2e7), stored: true, method: 8, size: 3e9 })
    expect(await codeOf([...course, huge(1), huge(2)])).toBe('packages.tooMuchData')
  })
  test('too many entries are refused at once', async () => {
    const path = await save(zip(Array.from({ length: 60_000 }, (_, i) => ({ name: `${i}.txt`, stored: true }))))
    const start = performance.now()
    expect((await checkPackage(path)).error?.code).toBe('packages.tooManyFiles')
    expect(performance.now() - start).toBeLessThan(1000)
    expect(packageLimits.entries).toBeLessThan(60_000)
  })
})

describe('what kind it is', () => {
  const within = (entries: Entry[]) => entries.map((entry) => ({ ...entry, name: `My course/${entry.name}` }))
  test('everything in one folder', async () => {
    const scorm = await check(within(course))
    expect(scorm).toMatchObject({ ok: true, launch: ['index.html'], warnings: [{ code: 'packages.nestedManifest' }] })
    const plain = await check([{ name: 'My course/' }, ...within([web])])
    expect(plain).toMatchObject({ ok: true, launch: ['index.html'], warnings: [{ code: 'packages.strippedFolder' }] })
  })
  test('a manifest one folder down beside other files stays where it is', async () => {
    expect(await check([...within(course), { name: 'read me.txt' }])).toMatchObject({ ok: true, launch: ['My%20course/index.html'] })
  })
  test.each<[string, string[], string]>([
    ['cmi5', ['cmi5.xml', 'index.html'], 'cmi5'],
    ['xAPI', ['tincan.xml', 'story.html'], 'xapi'],
    ['AICC', ['a.crs', 'a.au', 'a.des', 'a.cst', 'index.html'], 'aicc'],
    ['AICC in a folder', ['x/a.crs', 'x/index.html'], 'aicc'],
    ['H5P', ['h5p.json', 'content/content.json'], 'h5p'],
    ['one archive', ['course.zip', 'readme.txt'], 'zipInZip'],
    ['archives', ['a.zip', 'b.zip'], 'zipsInZip'],
    ['no page', ['slides.pptx'], 'noManifest'],
    ['several pages', ['a.html', 'b.html'], 'severalPages'],
    ['several packages', ['a/imsmanifest.xml', 'b/imsmanifest.xml'], 'severalPackages'],
    ['deep manifest', ['a/b/imsmanifest.xml', 'a/c.txt'], 'manifestTooDeep'],
  ])('%s', async (_, names, code) => {
    expect(await codeOf(names.map((name) => ({ name, data: 'x' })))).toBe(`packages.${code}`)
  })
  test('the start page is found by name', async () => {
    const answer = await check([{ name: 'story.html' }, { name: 'other.html' }, { name: 'js/x.js' }])
    expect(answer).toMatchObject({ ok: true, kind: 'html', launch: ['story.html'], warnings: [{ code: 'packages.pageChosen' }] })
  })
  test('a web page that was meant as SCORM, service workers and unencrypted content are named', async () => {
    const data = '<script src="http://cdn.example/x.js"></script><script>navigator.serviceWorker.register("sw.js")</script>'
    expect(await warningsOf([page, { name: 'x.html', data }])).toEqual(
      ['serviceWorker', 'insecureAddress', 'callsWithoutManifest'].map((code) => `packages.${code}`),
    )
    expect(await warningsOf([course[0] as Entry, { name: 'index.html', data: 'hello' }])).toEqual(['packages.neverReports'])
    expect(await codeOf([{ name: 'imsmanifest.xml', data: manifest('a.swf') }, { name: 'a.swf' }])).toBe('packages.onlyFlash')
  })
  test('names: backslashes are folders, UTF-8 without the flag and code page 437 are understood', async () => {
    const named = (name: string | Buffer, href: string) =>
      check([{ name: 'imsmanifest.xml', data: manifest(href) }, { ...page, name, flags: 0 }])
    expect(await named('sub\\index.html', 'sub/index.html')).toMatchObject({ ok: true, launch: ['sub/index.html'] })
    expect(await named('\u00fcber.html', '%C3%BCber.html')).toMatchObject({ ok: true, launch: ['\u00fcber.html'] })
    expect(await named(Buffer.from('\x81ber.html', 'latin1'), '\u00fcber.html')).toMatchObject({ ok: true })
    expect(await named('u\u0308ber.html', '\u00fcber.html')).toMatchObject({ ok: true, warnings: [] })
  })
})

describe('unpacking', () => {
  test('writes every file, reports bytes and checksum, leaves the top folder out', async () => {
    const bytes = zip([{ name: 'top/' }, { name: 'top/a/b/c.txt', data: 'abc' }, { name: 'top/__MACOSX/x' }, { ...web, name: 'top/index.html' }])
    const path = await save(bytes)
    const target = join(folder, 'unpacked')
    const result = await unpackPackage(path, await inspectPackage(path), target)
    expect(result).toEqual({ files: 2, bytes: 3 + web.data.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(readdirSync(target, { recursive: true }).toSorted()).toEqual(['a', 'a/b', 'a/b/c.txt', 'index.html'])
    expect(await readFile(join(target, 'a/b/c.txt'), 'utf8')).toBe('abc')
    await expect(unpackPackage(path, await inspectPackage(path), target)).rejects.toThrow('exists')
  })
  test('leaves nothing behind when it fails, and clears what a crash left', async () => {
    const path = await save(zip([...course, { name: 'z.txt', data: 'x'.repeat(500), size: 100 }]))
    const target = join(folder, 'failed')
    await mkdir(`${target}.part/old`, { recursive: true })
    const error = unpackPackage(path, await inspectPackage(path), target)
    await expect(error).rejects.toMatchObject({ finding: { code: 'packages.lyingSize', params: { file: 'z.txt' } } })
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([])
  })
})

test('check-package prints one line of JSON, whatever it is given', async () => {
  const run = (path: string) =>
    new Promise<[number, string, string]>((resolve) => {
      execFile(process.execPath, ['scripts/check-package.ts', path], (error, out, err) => resolve([Number(error?.code ?? 0), out, err]))
    })
  const [code, out] = await run(await save(zip(course)))
  expect([code, JSON.parse(out)]).toEqual([0, { ok: true, kind: 'scorm12', title: 'Golf', launch: ['index.html'], warnings: [], error: null }])
  for (const path of [folder, '/dev/null', join(folder, 'none.zip')]) {
    const [status, text, errors] = await run(path)
    expect([status, errors, JSON.parse(text).ok, text.split('\n').length]).toEqual([1, '', false, 2])
  }
})

const given = join(import.meta.dirname, '../../../shared/packages')
describe.runIf(existsSync(given))('the packages of ../shared', () => {
  const accepted = /^(scorm12|scorm2004|adl)\/|broken\/ItemWithNonExistent|hostile\/(evil-|manifest-utf16|xss-title)/
  const all = existsSync(given) ? readdirSync(given, { recursive: true }).map(String).filter((path) => path.endsWith('.zip')) : []
  test.each(all)('%s', async (path) => {
    const answer = await checkPackage(join(given, path))
    expect([answer.ok, answer.error?.sentence]).toEqual(accepted.test(path) ? [true, undefined] : [false, expect.any(String)])
    if (path.includes('xss-title')) expect(answer.title).toBe('<img src=x onerror=alert(1)>')
    if (path.includes('utf16')) expect(answer.title).toBe('Ünïcødé')
  })
})
