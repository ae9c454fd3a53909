import { createSystemClock } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'
import { generateEd25519 } from '@org/types/crypto'
import { secure } from '../../../../../packages/p2p/src/secret/connection.ts'
import { nodeCipher, TAG_SIZE } from '../../../../../packages/p2p/src/secret/frame-cipher.ts'
import { FRAME_DATA_SIZE, FRAME_SIZE, SEALED_FRAME_SIZE } from '../../../../../packages/p2p/src/secret/frames.ts'
import { createHandshake } from '../../../../../packages/p2p/src/secret/handshake.ts'
import { deriveSessionKeys, ephemeralKeys } from '../../../../../packages/p2p/src/secret/keys.ts'
import { memoryTransportPair } from '../../../../../packages/p2p/src/transport/memory.ts'
import type { Door, Shape } from '../door.ts'

// All keys are the same in each run, so that the frames can be encrypted before the measurement begins.
const nodeKey = generateEd25519(new Uint8Array(32).fill(1))
const peerKey = generateEd25519(new Uint8Array(32).fill(2))
const ofNode = ephemeralKeys(new Uint8Array(32).fill(3))
const ofPeer = ephemeralKeys(new Uint8Array(32).fill(4))

/** Returns the bytes that the peer sends in the handshake. */
function handshakeOfPeer(): Uint8Array {
  const [node, peer] = [createHandshake(nodeKey, () => ofNode), createHandshake(peerKey, ofPeer)]
  const hello = peer.hello as Uint8Array
  const answer = node.receive(hello)
  const proof = answer.type === 'send' ? peer.receive(answer.bytes) : answer
  if (proof.type !== 'send') throw new Error('the handshake has no proof')
  return concatBytes(hello, proof.bytes)
}

/**
 * Returns a function that makes inputs. Each input is a sequence of encrypted frames. Each frame claims to have `claim`
 * bytes of data, and its authentication tag is valid.
 */
function frames(claim: number): Shape {
  return (size) => {
    const cipher = nodeCipher(deriveSessionKeys(ofPeer, ofNode.public).sendKey)
    const plain = new Uint8Array(FRAME_SIZE)
    new DataView(plain.buffer).setUint32(0, claim, true)
    const nonce = new Uint8Array(12)
    const bytes = new Uint8Array(Math.max(1, Math.floor(size / SEALED_FRAME_SIZE)) * SEALED_FRAME_SIZE)
    for (let at = 0; at < bytes.length; at += SEALED_FRAME_SIZE) {
      // Frames are numbered. Frame 0 was the proof in the handshake, so the frames of the input begin with number 1.
      new DataView(nonce.buffer).setUint32(4, at / SEALED_FRAME_SIZE + 1, true)
      cipher.seal(plain, nonce, bytes.subarray(at, at + FRAME_SIZE + TAG_SIZE))
    }
    return bytes
  }
}

async function readFrames(handshake: Uint8Array, input: Uint8Array): Promise<unknown> {
  const [own, other] = memoryTransportPair(['10.0.0.1:1', '10.0.0.2:1'])
  const secured = secure(own, { privateKey: nodeKey, ephemeral: () => ofNode, timeoutMs: 5000 }, createSystemClock())
  other.write(handshake)
  const connection = await secured
  const ended = new Promise((resolve) => {
    connection.handle({ data: () => undefined, drain: () => undefined, close: resolve })
  })
  connection.resume()
  // The input is written in pieces of 100 bytes, so that each frame arrives in several pieces.
  for (let at = 0; at < input.length; at += 100) other.write(input.subarray(at, at + 100))
  setImmediate(() => setImmediate(() => other.close()))
  return ended
}

export const encryptedFrames: Door = {
  name: 'encrypted frames',
  where: 'p2p/src/secret/connection.ts',
  limit: 1024 * 1024,
  costs: { nsPerByte: 100, heldPerByte: 24 },
  open: () => {
    const handshake = handshakeOfPeer()
    return { read: (input) => readFrames(handshake, input) }
  },
  shapes: {
    'full frames': frames(FRAME_DATA_SIZE),
    'frames of one byte': frames(1),
    'empty frames': frames(0),
    'frames that claim too much': frames(2 ** 31),
    'forged frames': (size) => new Uint8Array(size).fill(7),
  },
}
