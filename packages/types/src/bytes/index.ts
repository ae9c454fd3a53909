export { compareBytes, concatBytes, equalBytes, utf8ToBytes } from './ops.ts'
export { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from './text.ts'
