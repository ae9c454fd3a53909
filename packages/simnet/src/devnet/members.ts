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
  /** True while a partition separates this validator from the first one. */
  isApart: boolean
}

/** The validators of a devnet, by address. */
export interface Members {
  readonly all: () => readonly Member[]
  readonly nodes: () => readonly SimNode[]
  /** Throws `DEVNET_UNKNOWN_VALIDATOR`. */
  readonly at: (address: string) => Member
  /** Returns a signer that refuses to sign while `signs` of the validator with this name is false. */
  readonly wrap: (signer: PrivValidator, name: string) => PrivValidator
}

export function createMembers(): Members & { readonly set: (nodes: readonly SimNode[]) => void } {
  let members: readonly Member[] = []

  function checkSigns(name: string): void {
    const member = members.find(({ node }) => node.name === name)
    if (member?.signs === false) throw new PrivvalError(PRIVVAL_ERRORS.noSigner, `the signer of ${name} is down`)
  }

  return {
    all: () => members,
    nodes: () => members.map(({ node }) => node),
    at: (given) => {
      const address = given.replace(/^0x/i, '').toUpperCase()
      const found = members.find((member) => member.address === address)
      if (found !== undefined) return found
      const known = members.map((member) => member.address).join(', ')
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
    set: (nodes) => {
      members = nodes.map((node) => ({
        node,
        address: bytesToHex(addressOf(publicKeyOf(node.options.key))),
        signs: true,
        isApart: false,
      }))
    },
  }
}
