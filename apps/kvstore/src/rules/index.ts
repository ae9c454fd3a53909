import { createDocumentRules } from './document.ts'
import type { Rules, RulesContext, RulesName } from './rules.ts'
import { pairAtFirstEquals, pairAtOnlyEquals } from './split-tx.ts'
import { V038_RULES } from './v038.ts'

export function createRules(name: RulesName, context: RulesContext): Rules {
  if (name === 'v0.38') return V038_RULES
  const pairOf = name === 'document' ? pairAtOnlyEquals : pairAtFirstEquals
  return createDocumentRules({ name, pairOf }, context)
}

export {
  type Action,
  DEFAULT_RULES,
  isRulesName,
  mayOpen,
  type Pair,
  RULES,
  type Rules,
  type RulesName,
} from './rules.ts'
