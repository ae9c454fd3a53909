import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the application and the test of the README run', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [application = '', use = ''] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const code = [
    application.replace('export default', 'const createToken ='),
    use,
    'console.log(code)',
    'await chain.stop()',
  ]
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module-typescript', '--eval', code.join('\n')],
    { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', timeout: 60_000 },
  )
  expect([stdout, stderr]).toEqual(['0\n', ''])
})
