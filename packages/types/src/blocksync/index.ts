export { BlockRequest, BlockResponse, Message, NoBlockResponse, StatusRequest, StatusResponse } from './wire.ts'
