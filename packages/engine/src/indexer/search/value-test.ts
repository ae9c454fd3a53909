import { parseDecimal } from '../../events/query/index.ts'
import { inRange, type ValueTest } from './search-query.ts'

/** Whether the value of a key meets the test. Tests that a scan's own range of keys decides hold for every value. */
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
