export { compareBytes, concatBytes, concatList, equalBytes } from './ops.ts'
export { createSlabs } from './slabs.ts'
export { base64ToBytes, bytesToBase64, bytesToBinary, bytesToHex, hexToBytes, isBinaryOf, shownBytes } from './text.ts'
export { bytesToUtf8, utf8ToBytes } from './utf8.ts'
