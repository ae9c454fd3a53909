import { parseDecimal } from '../../events/query/index.ts'
import { inRange, type ValueTest } from './search-query.ts'

/**
 * Returns true if the value of a key passes the test. `value` is called only if the test needs the value: some kinds of
 * tests are decided by the range of keys alone.
 */
export function holds(test: ValueTest, value: () => string): boolean {
  switch (test.kind) {
    case 'equals':
      return value() === test.text
    case 'contains':
      return value().includes(test.text)
    case 'matches':
      return test.matches(value())
    case 'range': {
      const number = parseDecimal(value())
      return number !== undefined && inRange(number, test.range)
    }
    case 'never':
      return false
    default:
      return true
  }
}
