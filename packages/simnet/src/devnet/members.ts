import { PRIVVAL_ERRORS, type PrivValidator, PrivvalError } from '@org/engine/privval'
import { bytesToHex } from '@org/types/bytes'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/** A validator of the devnet, and whether it signs. */
export interface Member {
  readonly node: SimNode
  /** The address in upper-case hex. */
  readonly address: string
  signs: boolean
  /** True while a partition separates this validator from the first validator. */
  isApart: boolean
}

/** The validators of a devnet, by address. */
export interface Members {
  readonly all: () => readonly Member[]
  readonly nodes: () => readonly SimNode[]
  /** Throws `DEVNET_UNKNOWN_VALIDATOR` if no validator has this address. */
  readonly at: (address: string) => Member
  /** Returns the validator that runs in this node. */
  readonly of: (node: SimNode) => Member
  /** Returns a signer that refuses to sign while `signs` of the validator with this name is false. */
  readonly wrap: (signer: PrivValidator, name: string) => PrivValidator
}

/** `nodesOf` returns the nodes of the validators that the devnet has now. */
export function createMembers(nodesOf: () => readonly SimNode[]): Members {
  const members = new WeakMap<SimNode, Member>()

  function of(node: SimNode): Member {
    const address = (): string => bytesToHex(addressOf(publicKeyOf(node.options.key)))
    const member = members.get(node) ?? { node, address: address(), signs: true, isApart: false }
    members.set(node, member)
    return member
  }

  const all = (): readonly Member[] => nodesOf().map(of)

  function checkSigns(name: string): void {
    const node = nodesOf().find((each) => each.name === name)
    if (node !== undefined && !of(node).signs)
      throw new PrivvalError(
        PRIVVAL_ERRORS.noSigner,
        `the signer of ${name} is down: call set_signing_status with the status up`,
      )
  }

  return {
    all,
    nodes: nodesOf,
    of,
    at: (given) => {
      const address = given.replace(/^0x/i, '').toUpperCase()
      const found = all().find((member) => member.address === address)
      if (found !== undefined) return found
      const known = all()
        .map((member) => member.address)
        .join(', ')
      const message = `no validator of this devnet has the address ${JSON.stringify(given)}; its validators are ${known}`
      throw new DevnetError(DEVNET_ERRORS.unknownValidator, message)
    },
    wrap: (signer, name) => ({
      ...signer,
      signVote: async (...given) => {
        checkSigns(name)
        return signer.signVote(...given)
      },
      signProposal: async (...given) => {
        checkSigns(name)
        return signer.signProposal(...given)
      },
    }),
  }
}
