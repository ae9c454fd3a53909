/* The functions that a page verifies signatures with. */

export { hexToBytes } from '@org/types/bytes'
export { verifySignatures } from '@org/types/crypto'
