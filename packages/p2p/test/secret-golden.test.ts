import { recordingLines } from '@org/golden'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { verifySignature } from '@org/types/crypto'
import { AuthSigMessage } from '@org/types/p2p'
import { describe, expect, test } from 'vitest'
import { createOpener, createSealer } from '../src/secret/frames.ts'
import { deriveSessionKeys, ephemeralKeys } from '../src/secret/keys.ts'

interface Line {
  readonly conn: number
  readonly kind: 'secrets' | 'frame' | 'handshake' | 'packet' | 'message'
  readonly dir: 'send' | 'recv'
  readonly type: string
  readonly hex: string
  readonly [key: string]: string | number
}

const TRACES = ['kvstore-four-node0', 'kvstore-four-node3', 'e2e-voteext-node0', 'e2e-voteext-node2']
const hex = (value: unknown): Uint8Array => hexToBytes(String(value)) as Uint8Array

describe.each(TRACES)('trace %s', (trace) => {
  const lines = recordingLines<Line>(`p2p-trace/${trace}.jsonl`)
  const secrets = lines.filter(({ kind }) => kind === 'secrets')

  test('behavior: the derived secrets have the same bytes as in the reference', () => {
    expect(secrets.length).toBeGreaterThan(0)
    for (const line of secrets) {
      const local = ephemeralKeys(hex(line.loc_eph_priv))
      expect(local.public).toEqual(hex(line.loc_eph_pub))
      const keys = deriveSessionKeys(local, hex(line.rem_eph_pub))
      expect(bytesToHex(keys.dhSecret).toLowerCase()).toBe(line.dh_secret)
      expect(bytesToHex(keys.sendKey).toLowerCase()).toBe(line.send_key)
      expect(bytesToHex(keys.receiveKey).toLowerCase()).toBe(line.recv_key)
      expect(bytesToHex(keys.challenge).toLowerCase()).toBe(line.challenge)
    }
  })

  test('behavior: sealed and opened frames have the same bytes as in the reference', () => {
    for (const { conn, send_key, recv_key } of secrets) {
      const frames = lines.filter((line) => line.kind === 'frame' && line.conn === conn)
      const [seal, openSent, openReceived] = [
        createSealer(hex(send_key)),
        createOpener(hex(send_key)),
        createOpener(hex(recv_key)),
      ]
      for (const { dir, plain, sealed } of frames) {
        if (dir === 'send') expect(seal(hex(plain))).toEqual(hex(sealed))
        expect((dir === 'send' ? openSent : openReceived)(hex(sealed))).toEqual(hex(plain))
      }
    }
  })

  test('behavior: both sides signed the challenge', () => {
    for (const { conn, challenge } of secrets) {
      const messages = lines.filter((line) => line.conn === conn && line.type === 'AuthSigMessage')
      expect(messages.length).toBeGreaterThan(0)
      for (const { hex: text } of messages) {
        const { pubKey, sig } = AuthSigMessage.decode(hex(text))
        expect(pubKey && verifySignature(pubKey, hex(challenge), sig)).toBe(true)
      }
    }
  })
})
