import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from '#web/events/Markdown.tsx'

const html = (text: string) => renderToStaticMarkup(<Markdown>{text}</Markdown>).replace(/^<div[^>]*>|<\/div>$/g, '')

test('what organisers write', () => {
  expect(html('One **two** _three_\nfour')).toBe('<p>One <strong>two</strong> <em>three</em><br/>four</p>')
  expect(html('## Plan\n- a\n- b\n\n1. c')).toBe('<h3>Plan</h3><ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>')
  expect(html('see https://x.example/a_b_c.')).toContain('href="https://x.example/a_b_c"')
})

test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[x](javascript:alert(1))', '[x](data:text/html,1)', '![x](https://x.example/p.png)', '**<b onclick=1>x</b>**'])('%s stays text', (text) => {
  expect(html(text)).not.toMatch(/<(script|img|b |iframe)|href="(javascript|data)/)
})

test('a long line of marks ends at once', () => {
  const begin = performance.now()
  html('*_`['.repeat(2500))
  expect(performance.now() - begin).toBeLessThan(1000)
})
