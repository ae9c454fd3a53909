import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const linesOf = (path: string): number => readFileSync(new URL(path, import.meta.url), 'utf8').split('\n').length - 1

test.each([['token/app.ts'], ['order-book/app.ts'], ['poll/app.ts', 'poll/page.ts']])(
  'bound: an example has less than 150 lines: %s',
  (...files) => {
    expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThan(150)
  },
)
