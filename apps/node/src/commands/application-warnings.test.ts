import { noopLogger } from '@org/runtime'
import { expect, test } from 'vitest'
import { withApplicationWarnings } from './application-warnings.ts'

test('error: control characters in a warning about the application do not reach the terminal', () => {
  let printed = ''
  const logger = withApplicationWarnings(noopLogger, (text) => {
    printed += text
  })
  logger.child('abci-client').warn('Failed to connect', { address: 'tcp://a', error: 'no\u001b[2J\u202e' })
  expect(printed).toBe('Failed to connect (tcp://a): no\\u001b[2J\\u202e\n')
})
