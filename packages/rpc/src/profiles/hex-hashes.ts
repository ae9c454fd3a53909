import { base64ToBytes, bytesToHex } from '@org/types/bytes'
import { isJsonObject, type Json, type JsonObject } from '@org/types/schema'

/**
 * In v0.38, some hashes are in base64. The service document writes all hashes in upper-case hex, so the functions of
 * this file change the form of these hashes.
 */

/** Returns the hex of a hash in base64; an absent hash is an empty text. */
function hexOf(hash: Json | undefined): string {
  const bytes = typeof hash === 'string' ? base64ToBytes(hash) : undefined
  return bytes === undefined ? '' : bytesToHex(bytes)
}

/** Changes the hash of evidence in the answer of `broadcast_evidence` from base64 to hex. */
export function withHexHash(result: JsonObject): Json {
  return { ...result, hash: hexOf(result.hash) }
}

/**
 * Changes the application hash in the answer of `abci_info` from base64 to hex. If the answer has no such hash, it is
 * not changed.
 */
export function withHexAppHash(result: JsonObject): Json {
  const { response } = result
  if (!isJsonObject(response) || response.last_block_app_hash === undefined) return result
  return { ...result, response: { ...response, last_block_app_hash: hexOf(response.last_block_app_hash) } }
}

/**
 * Changes the hashes in the proof of a transaction from base64 to hex. A transaction without a proof is not changed.
 */
export function withHexProof(tx: Json): Json {
  if (!isJsonObject(tx) || !isJsonObject(tx.proof) || !isJsonObject(tx.proof.proof)) return tx
  const { proof } = tx.proof
  const aunts = Array.isArray(proof.aunts) ? proof.aunts.map(hexOf) : []
  return { ...tx, proof: { ...tx.proof, proof: { ...proof, leaf_hash: hexOf(proof.leaf_hash), aunts } } }
}

/**
 * Matches the end of the JSON of `block_results`, from the member with the application hash. This member is the last
 * one, so the text before it need not be parsed.
 */
const LAST_APP_HASH = /^"app_hash":(null|"[A-Za-z0-9+/=]*")\}$/

/**
 * Changes the application hash at the end of the JSON of `block_results` from base64 to hex. `text` is the whole JSON,
 * or one of its pieces: only the last piece ends with the hash.
 */
export function withHexAppHashAtEnd(text: string): string {
  const at = text.lastIndexOf('"app_hash":')
  if (at < 0 || !LAST_APP_HASH.test(text.slice(at))) return text
  const hash = JSON.parse(`{${text.slice(at)}`) as { readonly app_hash: string | null }
  return `${text.slice(0, at)}"app_hash":"${hexOf(hash.app_hash)}"}`
}
