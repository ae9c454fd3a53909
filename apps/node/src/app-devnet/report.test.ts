import { expect, test } from 'vitest'
import { createReport } from './report.ts'
import { createStyle } from './style.ts'

test('error: control characters in an error of the application do not reach the terminal', () => {
  let printed = ''
  const report = createReport({
    out: (text) => {
      printed += text
    },
    style: createStyle(false),
    folder: '/',
  })
  report.error(new Error('no such key: \u001b[2J\u009b31m\nsecond line'))
  expect(printed).toContain('no such key: \\u001b[2J\\u009b31m\nsecond line\n')
  expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
