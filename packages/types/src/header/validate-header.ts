import { validateBlockIdBasic, validateHash } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError, wrapBlockError } from '../block-id/errors.ts'
import { utf8ToBytes } from '../bytes/index.ts'
import { ADDRESS_SIZE } from '../crypto/keys.ts'
import { BLOCK_PROTOCOL } from '../version/versions.ts'
import type { Header } from './header.ts'

/** The maximum number of bytes of a chain id in UTF-8. */
export const MAX_CHAIN_ID_LENGTH = 50

const invalid = (message: string): BlockError => new BlockError(BLOCK_ERRORS.header, message)

function checkHashes(header: Header, names: readonly (keyof Header)[]): void {
  for (const name of names) {
    const title = name.charAt(0).toUpperCase() + name.slice(1)
    wrapBlockError(BLOCK_ERRORS.header, `wrong ${title}`, () => validateHash(header[name] as Uint8Array))
  }
}

/** Checks a header without the state of the chain. Throws {@link BlockError} if the header is invalid. */
export function validateHeaderBasic(header: Header): void {
  if (header.version.block !== BLOCK_PROTOCOL) {
    // The text ends with a space, as the reference's text does.
    throw invalid(`block protocol is incorrect: got: ${header.version.block}, want: ${BLOCK_PROTOCOL} `)
  }
  const length = utf8ToBytes(header.chainId).length
  if (length > MAX_CHAIN_ID_LENGTH) throw invalid(`chainID is too long; got: ${length}, max: ${MAX_CHAIN_ID_LENGTH}`)
  if (header.height < 0) throw invalid('negative Height')
  if (header.height === 0) throw invalid('zero Height')
  wrapBlockError(BLOCK_ERRORS.header, 'wrong LastBlockID', () => validateBlockIdBasic(header.lastBlockId))
  checkHashes(header, ['lastCommitHash', 'dataHash', 'evidenceHash'])
  if (header.proposerAddress.length !== ADDRESS_SIZE) {
    const got = header.proposerAddress.length
    throw invalid(`invalid ProposerAddress length; got: ${got}, expected: ${ADDRESS_SIZE}`)
  }
  // The length of the application hash is not checked, because the application may choose any length.
  checkHashes(header, ['validatorsHash', 'nextValidatorsHash', 'consensusHash', 'lastResultsHash'])
}
