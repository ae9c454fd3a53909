import { expect, test } from 'vitest'
import { jsonErrorMessage } from './json-error.ts'

function messageFor(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch (error) {
    return jsonErrorMessage(error)
  }
}

test.each(['SecretSecretSecret', 'Secret', '{"value":SecretSecretSecret}', '{"value":"SecretSecret" SecretSecret}'])(
  'behavior: the message for the text %j does not contain a part of it',
  (text) => {
    expect(messageFor(text)).toMatch(/JSON/)
    expect(messageFor(text)).not.toContain('Secret')
  },
)

test('behavior: other messages stay as they are', () => {
  expect(messageFor('{')).toMatch(/^Expected property name or '}' in JSON at position 1/)
  expect(jsonErrorMessage(new Error('this text is not valid JSON'))).toBe('this text is not valid JSON')
})
