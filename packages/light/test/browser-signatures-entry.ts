/* Exports the functions with which a page verifies signatures. */

export { hexToBytes } from '@org/types/bytes'
export { verifySignatures } from '@org/types/crypto'
