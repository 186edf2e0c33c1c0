import { describe, expect, test } from 'vitest'
import { listParts, type ManifestItem } from '#shared/packages.ts'
import { PackageError } from './findings.ts'
import { buildHref, resolveHref } from './hrefs.ts'
import { openManifest, readParts } from './manifest.ts'
import { FileIndex } from './paths.ts'

type Sheet = { version?: string; organizations?: string; resources?: string; head?: string; more?: string; root?: string }

const xmlns12 = 'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"'
const xmlns2004 = 'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss"'
const oneItem = '<item identifier="I" identifierref="R"><title>Part</title></item>'
const organize = (items: string, title = 'Golf') =>
  `<organizations default="O"><organization identifier="O"><title>${title}</title>${items}</organization></organizations>`

function xml({ version = '1.2', organizations = organize(oneItem), resources, head = '<?xml version="1.0"?>', more = '', root = xmlns12 }: Sheet) {
  const stated = version && `<schemaversion>${version}</schemaversion>`
  return `${head}<manifest identifier="M" ${root}><metadata><schema>ADL SCORM</schema>${stated}</metadata>${organizations}
    ${resources ?? '<resources><resource identifier="R" adlcp:scormtype="sco" href="a.html"/></resources>'}${more}</manifest>`
}

function read(source: string | Buffer, files = ['a.html', 'b.html', 'c.html'], path = 'imsmanifest.xml') {
  const open = openManifest(Buffer.from(source as string), path)
  const items = readParts(open, new FileIndex(files))
  const warnings = open.warnings.map((warning) => warning.code.replace('packages.', ''))
  return { ...open, items, warnings, launch: listParts(items).map((part) => part.href) }
}

/** The code of the refusal, and its sentence. */
function refusal(source: string | Buffer, files?: string[]): [string, string] {
  try {
    read(source, files)
  } catch (error) {
    if (error instanceof PackageError) return [error.finding.code.replace('packages.', ''), error.message]
    throw error
  }
  throw new Error('accepted')
}

describe('bytes', () => {
  const text = (encoding: string) => xml({ head: `<?xml version="1.0" encoding="${encoding}"?>`, organizations: organize(oneItem, 'Übung – “1”') })
  const swap = (bytes: Buffer) => Buffer.from(bytes).swap16()
  const little = Buffer.from(text('UTF-16'), 'utf16le')
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text('UTF-8'))],
    ['UTF-8 with byte order mark', Buffer.from(`\ufeff${text('utf-8')}`)],
    ['UTF-16 little endian', Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ['UTF-16 big endian', Buffer.concat([Buffer.from([0xfe, 0xff]), swap(little)])],
    ['UTF-16 without mark', little],
    ['UTF-16 big endian without mark', swap(little)],
    ['UTF-8 that says UTF-16', Buffer.from(text('UTF-16'))],
    ['Windows-1252', Buffer.from(text('windows-1252').replace('Ü', '\xdc').replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'), 'latin1')],
    ['Latin-1, as browsers take it', Buffer.from(text('ISO-8859-1').replace('Ü', '\xdc').replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'), 'latin1')],
  ])('%s', (_, bytes) => {
    expect(read(bytes).title).toBe('Übung – “1”')
  })
  test('bytes that are no text name the line', () => {
    const broken = Buffer.from(`<?xml version="1.0"?>\n<!-- \xe9 -->${xml({ head: '' })}`, 'latin1')
    expect(refusal(broken)).toEqual(['wrongEncoding', 'imsmanifest.xml is not valid UTF-8: line 2 contains bytes that are no characters. Save it as UTF-8.'])
    expect(refusal(Buffer.from(text('klingon')))[0]).toBe('unknownEncoding')
    expect(refusal('')[0]).toBe('manifestEmpty')
    expect(refusal(Buffer.alloc(11 * 1024 ** 2, ' '))[0]).toBe('manifestTooLarge')
  })
})

describe('XML', () => {
  test.each([
    ['<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 'doctype'],
    ['<!doctype m [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>', 'doctype'],
    ['<a b="<!--"/><!DOCTYPE x>', 'doctype'],
    ['<unclosed>', 'malformedXml'],
  ])('%s', (head, code) => expect(refusal(xml({ head }))[0]).toBe(code))
  test('what is malformed names the line', () => {
    expect(refusal('<manifest>\n<a>\n</manifest>')).toEqual([
      'malformedXml',
      "imsmanifest.xml is not well-formed XML. Line 3: Expected closing tag 'a' (opened in line 2, col 1) instead of closing tag 'manifest'.",
    ])
    expect(refusal('<manifest>\n<a>')[1]).toContain('Line 2: Not closed: <manifest>, <a>.')
    expect(refusal(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`)[0]).toBe('malformedXml')
    expect(refusal('<html></html>')).toEqual(['notAManifest', 'imsmanifest.xml is not a SCORM manifest: it begins with <html> instead of <manifest>.'])
    expect(refusal(xml({ version: '1.1.0' }).replace('ADL SCORM', 'IMS Common Cartridge'))[0]).toBe('commonCartridge')
  })
  test('forgiven: a bare ampersand, a prefix without namespace, other prefixes', () => {
    const bare = organize('<item identifier="I" identifierref="R" parameters="?a=1&lang=en"><title>Q & A<x:y/></title></item>')
    expect(read(xml({ organizations: bare }))).toMatchObject({ items: [{ title: 'Q & A', href: 'a.html?a=1&lang=en' }], warnings: [] })
  })
  test('titles are plain text on one line, at most 200 characters, without what no database stores', () => {
    const titled = (title: string) => read(xml({ organizations: organize(oneItem, title) })).title
    expect(titled('&lt;img src=x onerror=alert(1)&gt;')).toBe('<img src=x onerror=alert(1)>')
    expect(titled('<![CDATA[<b>&amp;</b>]]>')).toBe('<b>&amp;</b>')
    expect(titled('&amp;lt; &#233;&#x1F600;\n\t two\u0001&#0;')).toBe('&lt; é😀 two')
    expect([...(titled('😀'.repeat(300)) ?? '')].length).toBe(200)
    expect(titled(' ')).toBeNull()
    const lom = xml({ organizations: organize(oneItem, '') }).replace('</metadata>', '<x:lom><general><title><langstring>From LOM</langstring></title></general></x:lom></metadata>')
    expect(read(lom).title).toBe('From LOM')
  })
})

test.each([
  ['1.2', xmlns12, '1.2', 0],
  ['CAM 1.3', xmlns2004, '2004 2nd Edition', 0],
  ['2004 3rd Edition', xmlns2004, '2004 3rd Edition', 0],
  ['2004 4th Edition', xmlns2004, '2004 4th Edition', 0],
  ['', xmlns12, '1.2', 0],
  ['', xmlns2004, '2004 3rd Edition', 0],
  ['9.9', xmlns2004, '2004 3rd Edition', 1],
])('edition: "%s" with %s is %s', (version, root, edition, warnings) => {
  const result = read(xml({ version, root }))
  expect([result.edition, result.warnings.length]).toEqual([edition, warnings])
})

describe('table of contents', () => {
  const resources = '<resources><resource identifier="R" adlcp:scormtype="sco" href="a.html"/><resource identifier="S" adlcp:scormtype="asset" href="b.html"/></resources>'
  test('a tree with headings, assets and 1.2 data', () => {
    const organizations = organize(`<item identifier="H"><title>Chapter</title>
      <item identifier="A" identifierref="R"><title>One</title><adlcp:masteryscore>80</adlcp:masteryscore>
        <adlcp:maxtimeallowed>00:30:00</adlcp:maxtimeallowed><adlcp:timelimitaction>Exit, no message</adlcp:timelimitaction>
        <adlcp:datafromlms> x=1&amp;y=2 </adlcp:datafromlms><adlcp:prerequisites type="aicc_script">Z</adlcp:prerequisites></item>
      <item identifier="B" identifierref="S" isvisible="false"><adlcp:masteryscore>high</adlcp:masteryscore></item></item>`)
    const { items, launch, warnings } = read(xml({ organizations, resources }))
    expect(launch).toEqual(['a.html', 'b.html'])
    expect(warnings).toEqual(['badMasteryScore', 'prerequisites'])
    const [heading] = items as [ManifestItem]
    expect(heading).toMatchObject({ identifier: 'H', title: 'Chapter', href: null, file: null, type: null })
    expect(heading.items).toMatchObject([
      { type: 'sco', masteryScore: 80, maxTimeAllowed: '00:30:00', timeLimitAction: 'exit,no message', dataFromLms: 'x=1&y=2', prerequisites: 'Z' },
      { type: 'asset', title: 'B', isVisible: false, masteryScore: null },
    ])
  })

  test('2004 data: thresholds, passing score, objectives, time limit, shared sequencing', () => {
    const organizations = organize(`<item identifier="A" identifierref="R"><title>One</title>
        <adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.75"/><adlcp:dataFromLMS>D</adlcp:dataFromLMS>
        <adlcp:timeLimitAction>continue,message</adlcp:timeLimitAction>
        <imsss:sequencing IDRef="S1"><adlseq:objectives><adlseq:objective objectiveID="p"/></adlseq:objectives><imsss:objectives>
          <imsss:primaryObjective objectiveID="p" satisfiedByMeasure="true"><imsss:minNormalizedMeasure>-0.5</imsss:minNormalizedMeasure></imsss:primaryObjective>
          <imsss:objective objectiveID="q"/></imsss:objectives></imsss:sequencing></item>
      <item identifier="B" identifierref="R"><title>Two</title><adlcp:completionThreshold>0.5</adlcp:completionThreshold></item>`)
    const more = '<imsss:sequencingCollection><imsss:sequencing ID="S1"><imsss:limitConditions attemptAbsoluteDurationLimit="PT1H"/></imsss:sequencing></imsss:sequencingCollection>'
    const { items, warnings } = read(xml({ version: '2004 4th Edition', root: xmlns2004, organizations, more }))
    expect(items).toMatchObject([
      {
        completionThreshold: { completedByMeasure: true, minProgressMeasure: 0.75 },
        minNormalizedMeasure: -0.5,
        maxTimeAllowed: 'PT1H',
        timeLimitAction: 'continue,message',
        dataFromLms: 'D',
        objectives: [{ id: 'p', isPrimary: true, minNormalizedMeasure: -0.5 }, { id: 'q', isPrimary: false, minNormalizedMeasure: null }],
      },
      { completionThreshold: { completedByMeasure: true, minProgressMeasure: 0.5 }, minNormalizedMeasure: null, objectives: [] },
    ])
    expect(warnings).toEqual([])
  })

  test.each([
    ['<imsss:controlMode choice="true" flow="true"/>', []],
    ['<imsss:controlMode choice="false" flow="true"/>', ['sequencing']],
    ['<imsss:sequencingRules><imsss:preConditionRule/></imsss:sequencingRules>', ['sequencing']],
    ['<imsss:rollupRules rollupObjectiveSatisfied="true"/>', []],
  ])('sequencing: %s', (rules, warnings) => {
    const two = `${oneItem}${oneItem.replace('"I"', '"J"')}<imsss:sequencing>${rules}</imsss:sequencing>`
    expect(read(xml({ version: '2004 3rd Edition', root: xmlns2004, organizations: organize(two) })).warnings).toEqual(warnings)
  })

  const other = '<organization identifier="P"><title>Other</title></organization>'
  test.each<[string, Sheet, string[]]>([
    ['no default', { organizations: organize(oneItem).replace(' default="O"', '') }, ['noDefaultOrganization']],
    ['wrong default', { organizations: organize(oneItem).replace('default="O"', 'default="X"') }, ['wrongDefaultOrganization']],
    ['several', { organizations: organize(oneItem).replace('</organizations>', `${other}</organizations>`) }, ['severalOrganizations']],
    ['none', { organizations: '<organizations/>' }, ['noOrganization']],
    ['nested manifest', { more: '<manifest identifier="N"/>' }, ['subManifests']],
    ['repeated identifier', { organizations: organize(oneItem + oneItem) }, ['repeatedIdentifier']],
    ['missing resource', { organizations: organize(`${oneItem}<item identifier="J" identifierref="X"/>`) }, ['missingResource']],
    ['no href, one page', { resources: '<resources><resource identifier="R"><file href="a.html"/><file href="a.css"/></resource></resources>' }, ['hrefFromFile', 'missingFile']],
    ['other case', { resources: '<resources><resource identifier="R" href="A.HTML"/></resources>' }, ['launchFileCase']],
    ['missing files', { resources: '<resources><resource identifier="R" href="a.html"><file href="1"/><file href="2"/><file href="http://x/y"/></resource></resources>' }, ['missingFiles']],
  ])('accepted with a warning: %s', (_, sheet, warnings) => {
    const result = read(xml(sheet))
    expect(result.warnings).toEqual(warnings)
    expect(result.items[0]).toMatchObject({ file: 'a.html', href: 'a.html' })
    expect(new Set(result.items.map((item) => item.identifier)).size).toBe(result.items.length)
  })

  test.each<[string, Sheet, string, string]>([
    ['no items', { organizations: organize(''), resources: '<resources/>' }, 'noParts', 'lists nothing'],
    ['missing resource', { resources: '<resources/>' }, 'missingResourceOnly', '“Part” cannot be opened: it points to the resource R'],
    ['no href', { resources: '<resources><resource identifier="R"/></resources>' }, 'noHrefOnly', 'its resource R names no start file'],
    ['missing start file', { resources: '<resources><resource identifier="R" href="no.html"/></resources>' }, 'launchFileMissing', 'of “Part” is not in the ZIP archive: no.html.'],
    ['too many', { organizations: organize('<item/>'.repeat(2001)) }, 'tooManyParts', '2001 parts'],
  ])('refused: %s', (_, sheet, code, sentence) => {
    const [found, text] = refusal(xml(sheet))
    expect(found).toBe(code)
    expect(text).toContain(sentence)
  })

  test('xml:base of manifest, resources and resource add up', () => {
    const based = '<resources xml:base="b"><resource identifier="R" xml:base="c/" href="d.html#x"/></resources>'
    expect(read(xml({ root: `${xmlns12} xml:base="a/"`, resources: based }), ['a/b/c/d.html']).launch).toEqual(['a/b/c/d.html#x'])
    expect(read(xml({}), ['in/a.html'], 'in/imsmanifest.xml').launch).toEqual(['in/a.html'])
  })
})

describe('addresses', () => {
  test.each([
    ['', './a.html', 'a.html'],
    ['', '/a.html', 'a.html'],
    ['', 'x\\a.html', 'x/a.html'],
    ['x/', '../a.html', 'a.html'],
    ['', 'my%20page.html?q=a%20b#c', 'my page.html'],
    ['', '100%.html', '100%.html'],
    ['', 'u\u0308.html', 'ü.html'],
  ])('%s + %s', (base, href, file) => expect(resolveHref(base, href, 'Part').paths[0]).toBe(file))
  test.each([
    ['..%2f..%2fetc%2fpasswd', 'launchTraversal'],
    ['%2e%2e%2f%2e%2e/etc/passwd', 'launchTraversal'],
    ['..\\..\\a.html', 'launchTraversal'],
    ['..%5c..%5ca.html', 'launchTraversal'],
    ['http://example.com/a.html', 'launchElsewhere'],
    ['//example.com/a.html', 'launchElsewhere'],
    ['\\\\server\\a.html', 'launchElsewhere'],
    ['javascript:alert(1)', 'launchAddress'],
    ['file:///etc/passwd', 'launchAddress'],
    ['C:\\a.html', 'launchAddress'],
    ['a.html%00.txt', 'launchAddress'],
    ['?x=1', 'launchAddress'],
  ])('%s is refused', (href, code) => {
    expect(() => resolveHref('', href, 'Part')).toThrow(expect.objectContaining({ finding: expect.objectContaining({ code: `packages.${code}` }) }))
  })
  test.each([
    ['a b#%.html', '', null, 'a%20b%23%25.html'],
    ['a.html', '?x=1#y', '?z=2', 'a.html?x=1&z=2#y'],
    ['a.html', '', '&z=2', 'a.html?z=2'],
    ['a.html', '', '#y', 'a.html#y'],
    ['a.html', '#x', '#y', 'a.html#x'],
  ])('%s%s with parameters %s', (file, rest, parameters, href) => {
    expect(buildHref(file, resolveHref('', `x${rest}`, ''), parameters)).toBe(href)
  })
})
