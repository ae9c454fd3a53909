import { PublicKey } from '../crypto/public-key.ts'
import { bool, bytes, field, type Infer, int32, message, oneof, when } from '../schema/index.ts'

/** A packet that requests a {@link PacketPong}, so that a dead connection is found. */
export const PacketPing = message('tendermint.p2p.PacketPing', {})
export type PacketPing = Infer<typeof PacketPing>

/** The answer to a {@link PacketPing}. */
export const PacketPong = message('tendermint.p2p.PacketPong', {})
export type PacketPong = Infer<typeof PacketPong>

/** tendermint.p2p.PacketMsg: a piece of a message on a channel; `eof` marks the last piece. */
export const PacketMsg = message('tendermint.p2p.PacketMsg', {
  channelId: field(1, int32),
  eof: field(2, bool),
  data: field(3, bytes),
})
export type PacketMsg = Infer<typeof PacketMsg>

/** tendermint.p2p.Packet: the messages of a multiplexed connection. */
export const Packet = message('tendermint.p2p.Packet', {
  sum: oneof({
    packetPing: when(1, PacketPing),
    packetPong: when(2, PacketPong),
    packetMsg: when(3, PacketMsg),
  }),
})
export type Packet = Infer<typeof Packet>

/** tendermint.p2p.AuthSigMessage: the proof of a node's key in the secret-connection handshake. */
export const AuthSigMessage = message('tendermint.p2p.AuthSigMessage', {
  pubKey: field(1, PublicKey),
  sig: field(2, bytes),
})
export type AuthSigMessage = Infer<typeof AuthSigMessage>
