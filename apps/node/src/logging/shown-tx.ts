import { bytesToHex } from '@org/types/bytes'

/** The maximum number of characters of a transaction in one line. */
const SHOWN = 60

const quoted = (text: string): string => (text.includes('"') ? text : JSON.stringify(text))

/**
 * The transaction as text if it is printable ASCII, otherwise as hex; long ones are cut. Text that contains quotes,
 * such as JSON, gets no further quotes around it.
 */
export function shownTx(tx: Uint8Array): string {
  const head = tx.subarray(0, SHOWN)
  const isText = head.every((byte) => byte >= 0x20 && byte < 0x7f)
  const text = isText ? quoted(new TextDecoder().decode(head)) : `0x${bytesToHex(head)}`
  return tx.length > SHOWN ? `${text}... (${tx.length} bytes)` : text
}
