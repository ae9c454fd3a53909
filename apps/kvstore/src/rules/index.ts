import { createDocumentRules } from './document.ts'
import type { Rules, RulesContext, RulesName } from './rules.ts'
import { V038_RULES } from './v038.ts'

export function createRules(name: RulesName, context: RulesContext): Rules {
  return name === 'v0.38' ? V038_RULES : createDocumentRules(context)
}

export { type Action, isRulesName, type Pair, RULES, type Rules, type RulesContext, type RulesName } from './rules.ts'
