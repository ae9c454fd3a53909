import { messageOf } from '@org/runtime/errors'
import { hashEvidenceItem, validateEvidenceBasic } from '@org/types'
import { defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { evidence } from './evidence-param.ts'
import { broadcastEvidenceResult } from './results.ts'

export const broadcastEvidence = defineRoute({
  name: 'broadcast_evidence',
  summary: 'Submits evidence that a validator broke the rules.',
  category: 'Evidence',
  params: { evidence },
  required: ['evidence'],
  result: broadcastEvidenceResult,
  needs: ['evidence'],
  isOneByOne: true,
  handler: async ({ ports }, args) => {
    const given = args.evidence
    if (given === undefined) throw refused('no evidence was provided')
    try {
      validateEvidenceBasic(given)
    } catch (error) {
      throw refused(`evidence.ValidateBasic failed: ${messageOf(error)}`)
    }
    await ports.evidence.addEvidence(given).catch((error: unknown) => {
      throw refused(`failed to add evidence: ${messageOf(error)}`)
    })
    return { hash: hashEvidenceItem(given) }
  },
})
