import type { Application } from '@org/abci'
import type { ResponseFinalizeBlock, ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { type PublicKey, publicKeyOf } from '@org/types/crypto'
import type { Replacement } from '../replacement.ts'
import { addressesOf } from './replaced-state.ts'

type Call = (request: Record<string, unknown>) => unknown
interface Signer {
  readonly validator?: { readonly address: Uint8Array }
}
interface Info {
  readonly votes?: readonly Signer[]
}

const keyText = ({ type, bytes }: PublicKey): string => `${type} ${bytesToHex(bytes)}`

/**
 * Wraps an application of a fork. The fork replaces the keys of the original validators by keys of this process. The
 * wrapped application sees only the original validators:
 * - In requests, the address of a replacement becomes the address of the original validator.
 * - In answers, an update of an original validator becomes an update of its replacement.
 *
 * Updates of validators without a replacement are left out, because this process cannot sign for them. If the fork has
 * only one replacement, an update that removes it is left out too, because no validator would be left.
 */
export function withOriginalValidators(app: Application, replacements: readonly Replacement[]): Application {
  if (replacements.length === 0) return app
  const originals = new Map(
    replacements.map(addressesOf).map(({ replacement, original }) => [bytesToHex(replacement), original]),
  )
  const replacementKeys = new Map(replacements.map(({ original, key }) => [keyText(original), publicKeyOf(key)]))

  const shown = (address: Uint8Array): Uint8Array => originals.get(bytesToHex(address)) ?? address
  const shownSigner = <S extends Signer>(signer: S): S =>
    signer.validator === undefined
      ? signer
      : { ...signer, validator: { ...signer.validator, address: shown(signer.validator.address) } }
  const shownInfo = (info: Info): Info => ({ ...info, votes: info.votes?.map(shownSigner) ?? [] })

  function shownRequest(request: Record<string, unknown>): Record<string, unknown> {
    const changed: Record<string, unknown> = { ...request }
    for (const name of ['proposerAddress', 'validatorAddress'])
      if (changed[name] instanceof Uint8Array) changed[name] = shown(changed[name])
    for (const name of ['decidedLastCommit', 'localLastCommit', 'proposedLastCommit'])
      if (changed[name] !== undefined) changed[name] = shownInfo(changed[name] as Info)
    if (Array.isArray(changed.misbehavior)) changed.misbehavior = (changed.misbehavior as Signer[]).map(shownSigner)
    return changed
  }

  function replacedUpdates(updates: readonly ValidatorUpdate[]): readonly ValidatorUpdate[] {
    const found = updates.flatMap((update) => {
      const pubKey = update.pubKey === undefined ? undefined : replacementKeys.get(keyText(update.pubKey as PublicKey))
      return pubKey === undefined ? [] : [{ ...update, pubKey }]
    })
    return replacementKeys.size === 1 ? found.filter(({ power }) => power > 0n) : found
  }

  function replacedAnswer(answer: ResponseFinalizeBlock): ResponseFinalizeBlock {
    return answer.validatorUpdates === undefined
      ? answer
      : { ...answer, validatorUpdates: [...replacedUpdates(answer.validatorUpdates)] }
  }

  return new Proxy(app, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== 'function') return method
      const call: Call = (request) => {
        const answer: unknown = (method as Call).call(target, shownRequest(request))
        if (name !== 'finalizeBlock') return answer
        return answer instanceof Promise ? answer.then(replacedAnswer) : replacedAnswer(answer as ResponseFinalizeBlock)
      }
      return call
    },
  })
}
