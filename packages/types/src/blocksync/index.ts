export {
  BlockRequest,
  BlockResponse,
  BlockSyncMessage,
  NoBlockResponse,
  StatusRequest,
  StatusResponse,
} from './wire.ts'
