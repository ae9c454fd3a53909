import { bytesToHex } from '../bytes/index.ts'
import { PUBLIC_KEY_TAGS } from './keys.ts'
import type { PublicKey } from './wire.ts'

/** Returns the text that the reference's messages show for a key, such as `PubKeyEd25519{0A…}`. */
export function formatPublicKey(key: PublicKey): string {
  return `${PUBLIC_KEY_TAGS[key.type].replace('tendermint/', '')}{${bytesToHex(key.bytes)}}`
}
