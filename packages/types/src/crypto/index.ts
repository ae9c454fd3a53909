export { CRYPTO_ERRORS, CryptoError, type CryptoErrorCode } from './errors.ts'
export { formatPublicKey } from './format.ts'
export { HASH_SIZE, ripemd160, sha256, sha256Text, sha256Truncated } from './hash.ts'
export {
  ADDRESS_SIZE,
  addressOf,
  ed25519FromSecret,
  generateEd25519,
  generateSecp256k1,
  isKeyType,
  type KeyType,
  MAX_SIGNATURE_SIZE,
  type PrivateKey,
  PUBLIC_KEY_SIZES,
  privateKeyFromBytes,
  privateKeyFromJson,
  privateKeyToJson,
  publicKeyFromBytes,
  publicKeyFromJson,
  publicKeyOf,
  publicKeyToJson,
  sign,
} from './keys.ts'
export {
  exactCheckCost,
  findInvalidSignature,
  findInvalidSignatureSync,
  type SignedItem,
  verifyAllQuickly,
  verifyExactly,
  verifyQuickly,
  verifySignature,
  verifySignatures,
} from './verify.ts'
export { DominoOp, Proof, ProofOp, ProofOps, ProtoPublicKey, PublicKey, type PublicKeySchema, ValueOp } from './wire.ts'
