import { describe, test } from 'vitest'

describe('a planted title', () => {
  test.each([1, 2])('behavior: what is sent %i times arrives once', () => undefined)
})
