import type { Door } from '../door.ts'
import { FORM_DOORS } from './forms.ts'
import { grpcServer } from './grpc.ts'
import { grpcMessage } from './grpc-message.ts'
import { HTTP_DOORS } from './http.ts'
import { json } from './json.ts'
import { largeRequests } from './large-requests.ts'
import { QUERY_DOORS } from './queries.ts'
import { SERVER_DOORS } from './server.ts'
import { webSocket } from './websocket.ts'

/** The doors for bytes from clients of the RPC. */
export const CLIENT_DOORS: readonly Door[] = [
  ...HTTP_DOORS,
  grpcMessage,
  grpcServer,
  json,
  ...QUERY_DOORS,
  ...SERVER_DOORS,
  largeRequests,
  webSocket,
  ...FORM_DOORS,
]
